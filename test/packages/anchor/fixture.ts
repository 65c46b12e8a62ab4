import type { CaCertificate, IssuerChain } from '#anchor/chain';
import { type AnchorMemory, NO_MEMORY } from '#anchor/memory';
import type { AnchorPolicy, ObservedAnchor, ObservedBundle, ObservedIssuer, ObservedTrust } from '#anchor/observed';

/** Each time differs from all others. */
export const POLICY: AnchorPolicy = {
  duration: 1_000_000,
  renewBefore: 100_000,
  leafReach: 1000,
  skew: 2,
  lag: 10,
  grain: 4,
  patience: 100,
  restartTime: 50,
  parallelRestarts: 1,
  laggards: 'Report',
  paused: false,
  abort: false,
  members: [],
};

/** The present. All objects of these fixtures were created 1000 ms earlier. */
export const NOW = 5000;

/** An anchor's certificate, signed by itself or, for a bridge, by another key. */
export function ca(key: string, signer = key, more: Partial<CaCertificate> = {}): CaCertificate {
  return { key, signer, notBefore: 4000, notAfter: 1_000_000, ...more };
}

/** A generation that is issued and in the bundle. */
export function anchor(generation: number, more: Partial<ObservedAnchor> = {}): ObservedAnchor {
  const key = String.fromCharCode(64 + generation);
  return {
    generation,
    bundled: true,
    askedSigner: 'self',
    state: 'issued',
    hasIssuer: false,
    certificate: ca(key),
    ...more,
  };
}

/** The chain of an issuer. */
export function chain(signer: string, bridges: readonly CaCertificate[] = []): IssuerChain {
  return { signer, notBefore: 4000, notAfter: 100_000, bridges };
}

/** An issuer in its Secret. */
export function issued(signer: string, more: Partial<ObservedIssuer> = {}): ObservedIssuer {
  return { state: 'issued', chain: chain(signer), revision: 1, ...more };
}

/** The mesh's bundle with these anchors. Its hash consists of their letters. */
export function bundleOf(...keys: string[]): ObservedBundle {
  return { hash: keys.join(''), anchors: keys.map((key) => ca(key)) };
}

/** The observation of a mesh whose generation 1 signs. */
export function observed(more: Partial<ObservedTrust> = {}): ObservedTrust {
  return {
    policy: POLICY,
    memory: NO_MEMORY,
    anchors: [anchor(1)],
    signer: 1,
    issuer: issued('A'),
    bundle: bundleOf('A'),
    kept: ['A'],
    identity: [{ name: 'identity-0', since: 4000, issuerEnd: 100_000 }],
    issuerUpdates: [],
    pods: [],
    members: [],
    inWindow: true,
    ...more,
  };
}

/** The memory of the mesh in `observed`. */
export function memory(more: Partial<AnchorMemory> = {}): AnchorMemory {
  return {
    current: { key: 'A', generation: 1 },
    bundles: [{ hash: 'A', keys: ['A'], since: 4000 }],
    issuer: { revision: 1, signer: 'A', notAfter: 100_000, since: 4000, seen: 4000, takenUp: 4000, steady: 4030 },
    ...more,
  };
}
