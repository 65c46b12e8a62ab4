import { Construct } from 'constructs';
import type { Certificate } from '../../imports/crds/cert-manager.io';
import { manifest } from '../tree/manifest';
import { declareReferences } from '../tree/references';
import { caClusterIssuer } from './ca-cluster-issuer';
import type { ICertManager } from './cert-manager';
import { certificateSpec } from './certificate';
import { identityName, type PkiSettings } from './pki-rules';
import { SelfSignedRoot } from './self-signed-root';
import { isOwnAnchor, type TrustAnchorSource } from './trust-anchor';
import { externalReferences } from './trust-anchor-references';
import { TRUST_ANCHOR_LABEL } from './trust-anchor-role';

/** Name of the ClusterIssuer that signs identity issuers, and of the identity issuer's Certificate and Secret. */
export const IDENTITY_ISSUER = 'linkerd-identity-issuer';

const OWN_ANCHOR = 'linkerd-trust-anchor';

/** Props of IdentityChain. */
export interface IdentityChainProps {
  readonly certManager: ICertManager;
  readonly pki: PkiSettings;
}

/** The chain of proxies' identities: trust anchor, and the identity issuer that it signs. */
export class IdentityChain extends Construct {
  /**
   * Secret with whose key identity issuers are signed; none where an external issuer signs. A role of its own: it need
   * not be the Secret of the anchor's Certificate, though so far it is.
   */
  readonly signingSecretName?: string;

  constructor(scope: Construct, id: string, { certManager, pki }: IdentityChainProps) {
    super(scope, id);
    const { trustAnchor } = pki;
    this.signingSecretName = signingSecretOf(trustAnchor);

    declareReferences(this, {
      external: externalReferences(trustAnchor, certManager.namespace, pki.controlPlaneNamespace),
    });
    if (isOwnAnchor(trustAnchor)) {
      new SelfSignedRoot(this, 'trust-anchor', {
        namespace: certManager.namespace,
        name: OWN_ANCHOR,
        issuerName: 'linkerd-trust-root-issuer',
        commonName: `root.${pki.controlPlaneNamespace}.${pki.trustDomain}`,
        validity: trustAnchor,
        secretLabels: { [TRUST_ANCHOR_LABEL]: 'current' },
        manualRenewal: trustAnchor.rotation === 'manual',
        keep: true,
      });
    }
    if (this.signingSecretName !== undefined) caClusterIssuer(this, IDENTITY_ISSUER, this.signingSecretName);
    manifest(this, 'issuer', {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: IDENTITY_ISSUER, namespace: pki.controlPlaneNamespace },
      spec: certificateSpec({
        purpose: 'intermediate',
        secretName: IDENTITY_ISSUER,
        issuerRef: signerOf(trustAnchor),
        validity: pki.identityIssuer,
        commonName: identityName(pki),
        dnsNames: [identityName(pki)],
      }),
    } satisfies Certificate);
  }
}

function signingSecretOf(source: TrustAnchorSource): string | undefined {
  if (isOwnAnchor(source)) return OWN_ANCHOR;
  return source.from === 'secret' ? source.secretName : undefined;
}

function signerOf(source: TrustAnchorSource): { group: string; kind: string; name: string } {
  const { name, kind, group } = source.from === 'issuer' ? source.issuer : { name: IDENTITY_ISSUER };
  return { group: group ?? 'cert-manager.io', kind: kind ?? 'ClusterIssuer', name };
}
