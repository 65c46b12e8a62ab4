import type { ClientIdentity, ClientNetwork } from '../../linkerd/policy/policy-objects';

/** Clients of which a port, or some requests to it, lets in each one. */
export interface ClientSet {
  readonly identities: readonly ClientIdentity[];
  readonly networks: readonly ClientNetwork[];
}

/** Every address there is. */
export const ALL_NETWORKS: readonly ClientNetwork[] = [
  { cidr: '0.0.0.0/0', except: [] },
  { cidr: '::/0', except: [] },
];

/** Nobody. */
export const NO_CLIENTS: ClientSet = { identities: [], networks: [] };

/** All clients that are in one of the sets, each once, in an order that does not hang on who was named first. */
export function union(sets: readonly ClientSet[]): ClientSet {
  return {
    identities: distinct(sets.flatMap(({ identities }) => identities)),
    networks: distinct(sets.flatMap(({ networks }) => networks)),
  };
}

/** Equal texts for equal sets that `union` made. */
export function clientSetKey({ identities, networks }: ClientSet): string {
  return JSON.stringify([identities, networks]);
}

/** Tells whether nobody is in a set. */
export function isNobody({ identities, networks }: ClientSet): boolean {
  return identities.length === 0 && networks.length === 0;
}

function distinct<T>(items: readonly T[]): readonly T[] {
  const byText = new Map(items.map((item) => [JSON.stringify(item), item]));
  return [...byText].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}
