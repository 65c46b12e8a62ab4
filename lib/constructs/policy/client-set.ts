import type { ClientIdentity, ClientNetwork } from '../../checks/policy/policy-objects';

/** The clients of a port, or of some requests to it: each of them is allowed. */
export interface ClientSet {
  readonly identities: readonly ClientIdentity[];
  readonly networks: readonly ClientNetwork[];
}

/** No clients. */
export const NO_CLIENTS: ClientSet = { identities: [], networks: [] };

/** Returns the clients of all sets, without duplicates, in an order that does not depend on the order of the sets. */
export function union(sets: readonly ClientSet[]): ClientSet {
  return {
    identities: distinct(sets.flatMap(({ identities }) => identities)),
    networks: distinct(sets.flatMap(({ networks }) => networks)),
  };
}

/** Returns equal strings for equal results of `union`. */
export function clientSetKey({ identities, networks }: ClientSet): string {
  return JSON.stringify([identities, networks]);
}

/** Whether a set is empty. */
export function isNobody({ identities, networks }: ClientSet): boolean {
  return identities.length === 0 && networks.length === 0;
}

function distinct<T>(items: readonly T[]): readonly T[] {
  const byText = new Map(items.map((item) => [JSON.stringify(item), item]));
  return [...byText].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}
