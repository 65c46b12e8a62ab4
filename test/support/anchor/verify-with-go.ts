import { askOracle } from '../oracle';
import { describeChain, describeRoots } from './trust';
import type { Verification } from './verify-mesh';

/**
 * Verifies chains with Go's crypto/x509, all in one process. Returns the reason of each refusal, or `undefined`.
 * Go is stricter than proxies: a root must be valid, and its path length is checked.
 */
export function verifyWithGo(verifications: readonly Verification[]): readonly (string | undefined)[] {
  if (verifications.length === 0) return [];
  const texts = verifications.map(({ chain, roots, at }) => JSON.stringify({ chain, roots, at: at.toISOString() }));
  return askOracle('x509-chain', texts).map(({ error }, index) => {
    const { chain = '', roots = '' } = verifications[index] ?? {};
    return error && `[${describeChain(chain)}] under ${describeRoots(roots)}: ${error}`;
  });
}
