import {
  anchorName,
  GENERATION_LABEL,
  LEFT_ALONE,
  SELF_SIGNED_ISSUER,
  TRUST_ANCHOR_LABEL,
  type TrustAnchorSpec,
} from './trust-anchor';

/** One generation of the anchor, as its Certificate is to be. */
export interface AnchorGeneration {
  /** From 1 on: what was there before the operator is left as it is. */
  readonly generation: number;
  /** The one who signs it: itself, or the generation whose Issuer makes a bridge of it. */
  readonly signer: 'self' | number;
  /** Tells whether its Secret is in the bundle. */
  readonly bundled: boolean;
  /**
   * Time before its end at which cert-manager issues it anew, with the same key.
   *
   * @default '5m' - the latest that cert-manager allows
   */
  readonly renewBefore?: string;
  /**
   * Tells whether an administrator rotates it: cert-manager leaves it alone (1.21), and gives it a new key when it is told
   * to issue it anew. Neither has it issued anew.
   */
  readonly byHand?: boolean;
}

/** The parts of a TrustAnchor's spec that a Certificate of its generations follows from. */
export type AnchorSettings = Pick<TrustAnchorSpec, 'certManagerNamespace' | 'commonName' | 'duration' | 'privateKey'>;

/**
 * The Certificate of a generation. Its key stays when it is issued anew, so that signer and bundle can be changed; all
 * else is what has cert-manager issue it anew, and must not change while it lives.
 */
export function anchorCertificate(
  { certManagerNamespace, commonName, duration, privateKey }: AnchorSettings,
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
      issuerRef: {
        group: 'cert-manager.io',
        kind: 'Issuer',
        name: signer === 'self' ? SELF_SIGNED_ISSUER : anchorName(signer),
      },
      commonName: `${generation}.${commonName}`,
      isCA: true,
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
