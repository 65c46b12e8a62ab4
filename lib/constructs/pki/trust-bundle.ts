import { Construct } from 'constructs';
import { TRUST_ANCHOR_LABEL, TRUST_ROOTS, TRUST_ROOTS_KEY } from '#anchor/trust-anchor';
import type { Problem } from '#base/findings/problem';
import type { Bundle } from '#imports/crds/trust.cert-manager.io';
import { keepOnPrune } from '#kubernetes/objects/argocd-annotations';
import { keysOf, required } from '#kubernetes/options/known-keys';
import { trustManagerRelease } from '#linkerd/releases/cert-manager';
import { addRule } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { dependsOn } from '../../gitops/tree/order';
import type { IPreparable } from '../../gitops/tree/prepare';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import { ANY_PKI } from './cert-manager-pki';
import type { ICertManagerPKI } from './existing-pki';
import { PKI_FINDINGS } from './findings';
import { isOwnAnchor, TRUST_ANCHOR_ROLES } from './trust-anchor';
import { type ITrustManager, TRUST_MANAGER } from './trust-manager';
import type { ParsedAnchors, TrustRoots } from './trust-roots';

/** Props of TrustBundle. */
export interface TrustBundleProps {
  /** The PKI whose anchors proxies trust. */
  readonly pki: ICertManagerPKI;

  /** The trust-manager that writes them. Its trust namespace must be that of the PKI's cert-manager. */
  readonly trustManager: ITrustManager;
}

const PROPS = keysOf<TrustBundleProps>({ pki: required(ANY_PKI), trustManager: required(TRUST_MANAGER) });

/**
 * The ConfigMap of trust roots that Linkerd reads with `identity.externalCA`, kept up to date by trust-manager.
 *
 * Argo CD neither prunes nor deletes the Bundle, because the ConfigMap would be deleted with it at once.
 *
 * @example
 * const trust = new TrustBundle(home, 'trust', { pki, trustManager });
 */
export class TrustBundle extends Construct implements IPreparable {
  readonly pki: ICertManagerPKI;
  /** The name that Linkerd's charts expect. */
  readonly configMapName = TRUST_ROOTS;
  /** The key that Linkerd's charts expect. */
  readonly key = TRUST_ROOTS_KEY;
  /** Absent if the constructor has refused its props. */
  private readonly trustManager?: ITrustManager;

  constructor(scope: Construct, id: string, props: TrustBundleProps) {
    super(scope, id);
    const { pki, trustManager } = propsOf<TrustBundleProps>(this, PROPS, props);
    this.pki = pki;
    this.trustManager = trustManager;

    setHomeNamespace(this, trustManager.trustNamespace);
    dependsOn(this, pki, trustManager);
    declareReferences(this, {
      provides: [{ kind: 'ConfigMap', namespace: pki.controlPlaneNamespace, name: this.configMapName }],
    });
    addRule(this, () => [
      ...checkTrustNamespace(pki, trustManager),
      ...checkTarget(pki, trustManager),
      ...checkMembers(pki, trustManager),
    ]);
  }

  prepare(): void {
    const { pki, trustManager } = this;
    if (trustManager === undefined) return;
    const { trustRoots, controlPlaneNamespace } = pki;
    // An empty bundle cannot be emitted; the PKI reports the missing anchors.
    if (trustRoots.from === 'pem' && trustRoots.parsed.anchors.length === 0) return;
    const operator = pki.rotatedBy();
    const bundle = manifest(this, 'bundle', {
      apiVersion: 'trust.cert-manager.io/v1alpha1',
      kind: 'Bundle',
      metadata: { name: this.configMapName, annotations: keepOnPrune() },
      spec: {
        sources: bundleSources(
          trustRoots,
          operator !== undefined && trustManagerRelease(trustManager.version).takesEmptySelectors,
        ),
        target: {
          configMap: { key: this.key },
          // The only label that a namespace always has. Without the label, trust-manager would delete the ConfigMap.
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': controlPlaneNamespace } },
        },
      },
    } satisfies Bundle);
    // The bundle has no sources before the anchor exists.
    dependsOn(bundle, operator?.anchor);
  }
}

type BundleSource = Bundle['spec']['sources'][number];

/** `published` is true if ConfigMaps contain anchors, too: those of the operator, and of other clusters. */
function bundleSources(roots: TrustRoots, published: boolean): BundleSource[] {
  if (roots.from === 'pem') return [{ inLine: inLine(roots.parsed) }];
  const { previous } = roots;
  return [
    { secret: { key: roots.key, selector: SELECTOR } },
    ...(published ? [{ configMap: { key: TRUST_ROOTS_KEY, selector: SELECTOR } }] : []),
    ...(previous === undefined || previous.anchors.length === 0 ? [] : [{ inLine: inLine(previous) }]),
  ];
}

/**
 * One selector for anchors of all roles: trust-manager before 0.13 stops updating a Bundle when any of its selectors
 * matches nothing (cert-manager/trust-manager#432).
 */
const SELECTOR: NonNullable<NonNullable<BundleSource['secret']>['selector']> = {
  matchExpressions: [{ key: TRUST_ANCHOR_LABEL, operator: 'In', values: [...TRUST_ANCHOR_ROLES] }],
};

function inLine({ anchors }: ParsedAnchors): string {
  return anchors.map(({ pem }) => pem).join('');
}

function checkTrustNamespace(pki: ICertManagerPKI, trustManager: ITrustManager): readonly Problem[] {
  const { namespace } = pki.certManager;
  if (pki.trustRoots.from === 'pem' || namespace === trustManager.trustNamespace) return [];
  return [PKI_FINDINGS.trustManagerMismatchTrustNamespace({ trustNamespace: trustManager.trustNamespace, namespace })];
}

/** Anchors of other clusters come in ConfigMaps, which may not exist yet. */
function checkMembers({ trustAnchor }: ICertManagerPKI, { version }: ITrustManager): readonly Problem[] {
  const isShared =
    isOwnAnchor(trustAnchor) && trustAnchor.rotation === 'operator' && (trustAnchor.operator?.members ?? []).length > 0;
  if (!isShared || trustManagerRelease(version).takesEmptySelectors) return [];
  return [PKI_FINDINGS.trustManagerMismatchMembers({ version })];
}

function checkTarget(
  { controlPlaneNamespace }: ICertManagerPKI,
  { targetNamespaces = [] }: ITrustManager,
): readonly Problem[] {
  if (targetNamespaces.length === 0 || targetNamespaces.includes(controlPlaneNamespace)) return [];
  return [
    PKI_FINDINGS.trustManagerMismatchTargetNamespace({
      allowed: targetNamespaces.join(', '),
      namespace: controlPlaneNamespace,
    }),
  ];
}
