import type { Chain, Key } from './state';

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
