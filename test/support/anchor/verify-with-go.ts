import { askOracle } from '../oracle';
import { describeChain, describeRoots } from './trust';
import type { Verification } from './verify-mesh';

/**
 * Verifies chains by Go's crypto/x509, all in one process. Returns for each why it is refused; nothing where it holds.
 * Go asks more of roots than proxies do: that they are valid, and that a limit of their path counts.
 */
export function verifyWithGo(verifications: readonly Verification[]): readonly (string | undefined)[] {
  if (verifications.length === 0) return [];
  const texts = verifications.map(({ chain, roots, at }) => JSON.stringify({ chain, roots, at: at.toISOString() }));
  return askOracle('x509-chain', texts).map(({ error }, index) => {
    const { chain = '', roots = '' } = verifications[index] ?? {};
    return error && `[${describeChain(chain)}] under ${describeRoots(roots)}: ${error}`;
  });
}
