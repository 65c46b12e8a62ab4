import { Construct } from 'constructs';
import {
  ANCHOR,
  anchorName,
  anchorNames,
  IDENTITY_ISSUER,
  SELF_SIGNED_ISSUER,
  TRUST_ANCHOR_DEFAULTS,
  TRUST_ANCHOR_LABEL,
} from '#anchor/trust-anchor';
import type { Certificate } from '#imports/crds/cert-manager.io';
import { keepOnPrune } from '#kubernetes/objects/argocd-annotations';
import type { Reference } from '#kubernetes/objects/references';
import { ACCEPTED_ANCHOR_CHANGE, GIVEN_GENERATION } from '#linkerd/annotations';
import { anchorCertificate } from '#operator/api/anchor-certificate';
import { manifest } from '../../gitops/tree/manifest';
import { dependsOn } from '../../gitops/tree/order';
import type { IPreparable } from '../../gitops/tree/prepare';
import { declareReferences } from '../../gitops/tree/references';
import type { AnchorOperator } from './anchor-rotation';
import type { ICertManager } from './cert-manager';
import { caClusterIssuer, certificateSpec, goText, SelfSignedRoot, selfSignedIssuer } from './certificate';
import { addIssuerWarnings } from './issuer-reference';
import type { PkiSettings } from './pki-rules';
import {
  anchorCommonName,
  generationOf,
  identityName,
  isOwnAnchor,
  type OwnTrustAnchor,
  type TrustAnchorSource,
} from './trust-anchor';
import { foreignSecretOf } from './trust-roots';

export { IDENTITY_ISSUER };

/** Props of IdentityChain. */
export interface IdentityChainProps {
  readonly certManager: ICertManager;
  /** Read at synth, when the rotation of the anchor is known. */
  readonly pki: PkiSettings;
  /** The changes of the anchor to accept. */
  readonly accepted: readonly string[];
  /** Returns, at synth, the operator that rotates the anchor, if one does. */
  readonly operator: () => AnchorOperator | undefined;
}

/**
 * The chain of proxies' identities: the trust anchor, and the identity issuer that it signs. For an anchor that the
 * operator rotates, only the self-signed issuer is emitted, so that Argo CD cannot revert a rotation.
 */
export class IdentityChain extends Construct implements IPreparable {
  /** The trust anchor for which the objects were built. */
  builtFor?: TrustAnchorSource;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: IdentityChainProps,
  ) {
    super(scope, id);
    const { certManager, pki } = props;
    declareReferences(this, () => ({
      external: foreignSecrets(pki.trustAnchor, certManager),
      // `checkOperated` reports a missing operator.
      ...(isOperated(pki.trustAnchor) && props.operator() === undefined && { provides: operatedObjects(certManager) }),
    }));
    addIssuerWarnings(this, () => ({ ...signerOf(pki.trustAnchor), namespace: pki.controlPlaneNamespace }));
  }

  prepare(): void {
    const { certManager, pki, accepted, operator } = this.props;
    const { trustAnchor } = pki;
    this.builtFor = trustAnchor;
    if (isOwnAnchor(trustAnchor)) this.addAnchor(trustAnchor, certManager, pki);
    const signingSecret = signingSecretOf(trustAnchor);
    if (signingSecret !== undefined) {
      // Argo CD must not prune the ClusterIssuer, because an operator may adopt it later.
      caClusterIssuer(this, IDENTITY_ISSUER, signingSecret, isOwnAnchor(trustAnchor) ? keepOnPrune() : undefined);
    }
    const issuer = manifest(this, 'issuer', {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: {
        name: IDENTITY_ISSUER,
        namespace: pki.controlPlaneNamespace,
        ...annotationsOf(trustAnchor, accepted),
      },
      spec: certificateSpec({
        purpose: 'intermediate',
        secretName: IDENTITY_ISSUER,
        issuerRef: signerOf(trustAnchor),
        validity: pki.identityIssuer,
        commonName: identityName(pki),
        dnsNames: [identityName(pki)],
      }),
    } satisfies Certificate);
    // Before the anchor exists, no issuer can sign it, and Argo CD would wait forever.
    if (isOperated(trustAnchor)) dependsOn(issuer, operator()?.anchor);
  }

  private addAnchor(anchor: OwnTrustAnchor, { namespace }: ICertManager, pki: PkiSettings): void {
    const generation = generationOf(anchor);
    if (anchor.rotation !== 'operator' && generation === 0) {
      new SelfSignedRoot(this, 'trust-anchor', {
        namespace,
        name: ANCHOR,
        issuerName: SELF_SIGNED_ISSUER,
        commonName: anchorCommonName(pki),
        validity: anchor,
        secretLabels: { [TRUST_ANCHOR_LABEL]: 'current' },
        manualRenewal: anchor.rotation === 'manual',
        keep: true,
      });
      return;
    }
    const root = new Construct(this, 'trust-anchor');
    selfSignedIssuer(root, SELF_SIGNED_ISSUER, namespace);
    if (anchor.rotation === 'operator') return;
    const certificate = anchorCertificate(
      {
        ...TRUST_ANCHOR_DEFAULTS,
        certManagerNamespace: namespace,
        commonName: anchorCommonName(pki),
        duration: goText(anchor.duration),
      },
      { generation, signer: 'self', bundled: true, renewBefore: goText(anchor.renewBefore), byHand: true },
    );
    manifest(root, 'certificate', certificate satisfies Certificate);
  }
}

/** Records the explicit generation 0, which the name of the first anchor does not show. */
function annotationsOf(anchor: TrustAnchorSource, accepted: readonly string[]) {
  const isFirst = isOwnAnchor(anchor) && anchor.rotation === 'manual' && anchor.generation === 0;
  const annotations = {
    ...(accepted.length > 0 && { [ACCEPTED_ANCHOR_CHANGE]: accepted.join('; ') }),
    ...(isFirst && { [GIVEN_GENERATION]: '0' }),
  };
  return Object.keys(annotations).length === 0 ? {} : { annotations };
}

/** Returns references to the objects that the operator creates. */
export function operatedObjects({ namespace }: Pick<ICertManager, 'namespace'>): readonly Reference[] {
  return [
    { kind: 'ClusterIssuer', name: IDENTITY_ISSUER },
    ...anchorNames().map((name) => ({ kind: 'Secret', namespace, name }) as const),
  ];
}

/** A Secret that the user names as an external anchor is assumed to exist. */
function foreignSecrets(source: TrustAnchorSource, { namespace }: ICertManager): readonly Reference[] {
  const name = foreignSecretOf(source);
  return name === undefined ? [] : [{ kind: 'Secret', namespace, name }];
}

function isOperated(source: TrustAnchorSource): boolean {
  return isOwnAnchor(source) && source.rotation === 'operator';
}

/** Undefined if an external issuer signs, or if the operator chooses the Secret. */
function signingSecretOf(source: TrustAnchorSource): string | undefined {
  if (isOwnAnchor(source)) return source.rotation === 'operator' ? undefined : anchorName(generationOf(source));
  return source.from === 'secret' ? source.secretName : undefined;
}

function signerOf(source: TrustAnchorSource): { group: string; kind: string; name: string } {
  const { name, kind, group } = source.from === 'issuer' ? source.issuer : { name: IDENTITY_ISSUER };
  return { group: group ?? 'cert-manager.io', kind: kind ?? 'ClusterIssuer', name };
}
