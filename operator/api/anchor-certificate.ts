import {
  type AskedSigner,
  anchorName,
  GENERATION_LABEL,
  SELF_SIGNED_ISSUER,
  TRUST_ANCHOR_LABEL,
  TRUST_ANCHOR_NAME,
  type TrustAnchorSpec,
} from '#anchor/trust-anchor';
import { CONFIG_GROUP, LEFT_ALONE } from './names';

/** One generation of the trust anchor: the input for its Certificate. */
export interface AnchorGeneration {
  /** At least 1: the operator does not change anchors that existed before it. */
  readonly generation: number;
  /**
   * Its signer: itself, the Issuer of another generation, or the operator, which answers cert-manager's request. The
   * last two make it a bridge.
   */
  readonly signer: AskedSigner;
  /** Whether its Secret is in the bundle. */
  readonly bundled: boolean;
  /**
   * Time before its expiry at which cert-manager reissues it, with the same key.
   *
   * @default '5m' - the latest that cert-manager allows
   */
  readonly renewBefore?: string;
  /**
   * An administrator rotates it: cert-manager (1.21) renews it only on request, with a new key. A change of this
   * setting does not reissue it.
   */
  readonly byHand?: boolean;
}

/** The parts of a TrustAnchor's spec that determine the Certificates of its generations. */
export type AnchorSettings = Pick<
  TrustAnchorSpec,
  'certManagerNamespace' | 'commonName' | 'duration' | 'privateKey' | 'bridge'
>;

/**
 * Returns the Certificate of a generation. Its signer and `bundled` may change, because it keeps its key when it is
 * reissued. Its settings must not change: cert-manager would reissue it, too.
 */
export function anchorCertificate(
  { certManagerNamespace, commonName, duration, privateKey, bridge }: AnchorSettings,
  { generation, signer, bundled, renewBefore = '5m', byHand = false }: AnchorGeneration,
) {
  const name = anchorName(generation);
  const labels = { 'app.kubernetes.io/part-of': 'Linkerd', [GENERATION_LABEL]: `${generation}` };
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: { name, namespace: certManagerNamespace, labels, annotations: LEFT_ALONE },
    spec: {
      secretName: name,
      secretTemplate: { labels: { ...labels, ...(bundled && { [TRUST_ANCHOR_LABEL]: 'current' }) } },
      duration,
      renewBefore,
      ...(byHand && { renewal: { policy: 'Disabled' as const } }),
      issuerRef: issuerRef(signer),
      commonName: `${generation}.${commonName}`,
      isCA: true,
      ...(signer === 'request' &&
        bridge?.trustDomain !== undefined && {
          // Also URIs: proxies accept SPIFFE identities, which DNS domains do not constrain.
          nameConstraints: {
            critical: true,
            permitted: { dnsDomains: [bridge.trustDomain], uriDomains: [bridge.trustDomain] },
          },
        }),
      usages: ['cert sign' as const, 'crl sign' as const],
      privateKey: {
        ...privateKey,
        encoding: 'PKCS1' as const,
        rotationPolicy: byHand ? ('Always' as const) : ('Never' as const),
      },
      revisionHistoryLimit: 3,
    },
  } as const;
}

/** cert-manager's controllers ignore requests to the TrustAnchor: the operator answers them. */
function issuerRef(signer: AskedSigner) {
  if (signer === 'request') return { group: CONFIG_GROUP, kind: 'TrustAnchor', name: TRUST_ANCHOR_NAME };
  const name = typeof signer === 'number' ? anchorName(signer) : SELF_SIGNED_ISSUER;
  return { group: 'cert-manager.io', kind: 'Issuer', name };
}
