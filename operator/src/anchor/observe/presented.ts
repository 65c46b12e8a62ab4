import type { X509Certificate } from 'node:crypto';
import type { ObservedProbes, PresentedChain } from '#anchor/observed';
import {
  caCertificate,
  type KnownCertificate,
  knownCertificates,
  signerOf,
  verifySignature,
} from '../../pki/known-certificate';

interface Probed {
  /** `namespace/name` of its pod. */
  readonly pod: string;
  /** True for a pod of the control plane. */
  readonly isTrusted: boolean;
  readonly identity: string;
}

/** The stored parts of the chain that a proxy presented. */
export interface Presented extends Pick<Probed, 'pod' | 'isTrusted'> {
  /** Absent if it is not for the proxy's identity, or not signed by the next certificate of the chain. */
  readonly leaf?: {
    readonly notBefore: number;
    readonly notAfter: number;
    /** PEM of its issuer, and of the bridges that follow. */
    readonly above: string;
  };
}

/** A complete round of probes. */
export interface ProbeRound {
  readonly since: number;
  readonly presented: readonly Presented[];
  /** Pods that presented no chain, `namespace/name`. */
  readonly unreached: readonly string[];
}

/** The last round, and whether it may keep an anchor from being retired (`gates`). */
export interface ViewedProbes {
  readonly gates: boolean;
  /** Absent before the first round. */
  readonly round?: ProbeRound;
}

/** Returns the last round as seen by a rotation. */
export function observeProbes({ gates, round }: ViewedProbes, known: readonly KnownCertificate[]): ObservedProbes {
  const { presented = [], unreached = [], since } = round ?? {};
  return {
    gates,
    ...(since !== undefined && { since }),
    presented: presented.map((one) => presentedChain(one, known)),
    unreached,
  };
}

/** rustls-webpki gives up after six intermediates. */
const MAX_CHAIN_LENGTH = 7;

/** Checks the proxy's own certificate, and stores only its validity and the certificates above it. */
export function readPresented({ pod, isTrusted, identity }: Probed, chain: readonly X509Certificate[]): Presented {
  const [leaf, issuer, ...bridges] = chain;
  if (leaf === undefined || issuer === undefined || chain.length > MAX_CHAIN_LENGTH) return { pod, isTrusted };
  if (!isFor(leaf, identity) || !verifySignature(leaf, issuer)) return { pod, isTrusted };
  return {
    pod,
    isTrusted,
    leaf: {
      notBefore: leaf.validFromDate.getTime(),
      notAfter: leaf.validToDate.getTime(),
      above: [issuer, ...bridges].map(String).join(''),
    },
  };
}

function isFor(leaf: X509Certificate, identity: string): boolean {
  return leaf.checkHost(identity, { subject: 'never', wildcards: false }) !== undefined;
}

/** Returns a presented chain as seen by a rotation: its signatures are verified with known anchors. */
export function presentedChain(
  { pod, isTrusted, leaf }: Presented,
  known: readonly KnownCertificate[],
): PresentedChain {
  const origin = { pod, ...(isTrusted && { isTrusted }) } as const;
  const [issuer, ...bridges] = leaf === undefined ? [] : knownCertificates(leaf.above);
  if (leaf === undefined || issuer === undefined) return origin;
  const candidates = [issuer, ...bridges, ...known];
  // A bridge is invalid if its path length allows fewer CAs than there are before it.
  const usable = bridges.filter(({ x509, pathLength }, above) => x509.ca && above < (pathLength ?? bridges.length));
  return {
    ...origin,
    chain: {
      signer: signerOf(issuer, candidates) ?? 'unknown',
      notBefore: Math.max(leaf.notBefore, issuer.notBefore),
      notAfter: Math.min(leaf.notAfter, issuer.notAfter),
      bridges: usable.map((bridge) => caCertificate(bridge, candidates)),
    },
  };
}
