import { asChain } from './observe';
import type { Chain, Key, State } from './state';
import { isAccepted } from './x509';

const known = new Map<string, boolean>();

/** Whether a proxy with these roots accepts this chain, in a world in which no certificate expires. */
export function accepts(roots: readonly Key[], chain: Chain): boolean {
  const name = `${chain.signer}<${chain.over ?? ''}<${chain.beyond ?? ''}|${roots.join('')}`;
  const before = known.get(name);
  if (before !== undefined) return before;
  const result = isAccepted({ ...asChain(chain), domain: '' }, roots, 0);
  known.set(name, result);
  return result;
}

/**
 * Returns a sentence about a running proxy that refuses a leaf that may be in use; undefined if there is none. The
 * leaves include those that identity would issue now.
 */
export function broken(state: State): string | undefined {
  const { leaves, pods, identity, bundle, wrong } = state;
  if (wrong !== undefined) return wrong;
  if (bundle.length === 0 && pods.length > 0) return 'new pods are given no trust anchor';
  for (const { chain } of leaves) {
    const pod = pods.find((roots) => !accepts(roots, chain));
    if (pod !== undefined) return `a proxy that knows only ${list(pod)} refuses a certificate of ${chainName(chain)}`;
    const replica = identity.find(({ roots }) => !accepts(roots, chain));
    if (replica !== undefined)
      return `identity, which knows only ${list(replica.roots)}, refuses a certificate of ${chainName(chain)}`;
  }
  return undefined;
}

/** Returns a sentence about a proxy that accepts certificates of an attacker with the leaked keys, if there is one. */
export function exposed(
  { pods, identity, bundle, kept, ...state }: State,
  { leaked = [], vouched = [] }: Pick<State, 'leaked' | 'vouched'> = state,
): string | undefined {
  const chains: readonly Chain[] = leaked.flatMap((signer): Chain[] => [
    { signer },
    ...vouched.filter(({ key }) => key === signer).map(({ by }) => ({ signer, over: by })),
  ]);
  for (const chain of chains) {
    const what = `what an attacker signs with ${chain.over === undefined ? chain.signer : chainName(chain)}`;
    const pod = pods.find((roots) => accepts(roots, chain));
    if (pod !== undefined) return `a proxy that knows ${list(pod)} accepts ${what}`;
    if (identity.some(({ roots }) => accepts(roots, chain))) return `identity accepts ${what}`;
    if (accepts([...bundle, ...kept], chain)) return `new pods would accept ${what}`;
  }
  return undefined;
}

/** An enumeration of anchors. */
export function list(keys: readonly Key[]): string {
  return keys.length === 0 ? 'none' : keys.join(' and ');
}

/** A chain in words. */
export function chainName({ signer, over, beyond }: Chain): string {
  if (over === undefined) return `${signer}, with no bridge`;
  return `${signer}, with ${signer}'s bridge by ${over}${beyond === undefined ? '' : `, and ${over}'s by ${beyond}`}`;
}
