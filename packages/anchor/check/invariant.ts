import type { Chain, Key, State } from './state';

const known = new Map<string, boolean>();

/** Whether a proxy with these roots accepts this chain. */
export function accepts(roots: readonly Key[], chain: Chain): boolean {
  const name = `${chain.signer}<${chain.over ?? ''}<${chain.beyond ?? ''}|${roots.join('')}`;
  const before = known.get(name);
  if (before !== undefined) return before;
  const result = isAccepted(roots, chain);
  known.set(name, result);
  return result;
}

/**
 * Says which two do not understand each other, if there are any: a leaf that may be in use, and somebody who lives and
 * does not accept it. Identity's own issuer, and what it would issue now, are among the leaves.
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

/** Says who accepts what an attacker makes with the keys that leaked, if anybody does. */
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
    if (accepts([...bundle, ...kept], chain)) return `new pods are to accept ${what}`;
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

interface Vouching {
  readonly of: Key;
  readonly by: Key;
}

/**
 * Tells whether a verifier with these roots accepts a chain, in the world in which nothing ends. It does not ask the
 * operator's own verification, which is one of the things that are checked: from each root down, it lists all that the
 * root vouches for by any order of the certificates that come along, and looks whether the signer is among it.
 */
export function isAccepted(roots: readonly Key[], { signer, over, beyond }: Chain): boolean {
  const along: readonly Vouching[] = [
    ...(over === undefined ? [] : [{ of: signer, by: over }]),
    ...(over === undefined || beyond === undefined ? [] : [{ of: over, by: beyond }]),
  ];
  return orders(along).some((order) => {
    const trusted = [...roots];
    for (const { of, by } of order) if (trusted.includes(by)) trusted.push(of);
    return trusted.includes(signer);
  });
}

function orders<T>(all: readonly T[]): readonly (readonly T[])[] {
  if (all.length === 0) return [[]];
  return all.flatMap((one, at) => orders(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}
