import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { SELF_SIGNED_ISSUER } from '#anchor/trust-anchor';
import { defined } from '#base/defined';
import type { Finding } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { type Values, valueAt } from '#base/values';
import { checkDnsLabel } from '#kubernetes/names';
import { keepOnPrune, SYNC_OPTIONS } from '#kubernetes/objects/argocd-annotations';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { checkGoDuration, type DurationLike } from '#kubernetes/options/duration-like';
import type { CertManagerVersion, TrustManagerVersion } from '#linkerd/releases/cert-manager';
import type { ControlPlaneValues } from '#linkerd/releases/chart-values';
import { DEFAULT_LINKERD_VERSION, LINKERD_VERSIONS, type LinkerdVersion } from '#linkerd/releases/known-releases';
import { withoutSecrets } from '#linkerd/renderers/private-keys';
import { LinkerdCni } from '../../constructs/control-plane/linkerd-cni';
import { LinkerdControlPlane } from '../../constructs/control-plane/linkerd-control-plane';
import { MultusAttach } from '../../constructs/multus/multus-attach';
import { LinkerdConfig } from '../../constructs/operator/linkerd-config';
import { ReconcilerOperator } from '../../constructs/operator/reconciler-operator';
import { CertManager } from '../../constructs/pki/cert-manager';
import { selfSignedIssuer } from '../../constructs/pki/certificate';
import { type ExistingAnchor, type ExistingCertManagerPKIProps, ExistingPKI } from '../../constructs/pki/existing-pki';
import { leastRenewBefore, type PkiSettings } from '../../constructs/pki/pki-rules';
import { TrustBundle } from '../../constructs/pki/trust-bundle';
import { TrustManager } from '../../constructs/pki/trust-manager';
import { USUAL_ANCHOR, type Validity } from '../../constructs/pki/validity';
import { findingsIn } from '../../gitops/tree/app-review';
import { OperatorImage } from '../../gitops/tree/operator-image';
import { PropsError } from '../../gitops/tree/prop-of-shape';
import { inInstallOrder } from '../render-chart';
import { inOptions } from './option-words';

/** How the operator rotates the trust anchor of an installed mesh. */
interface InstalledRotation {
  /** Validity of later anchors. @default '87600h' */
  readonly duration?: DurationLike | undefined;
  /** Time before the expiry of an anchor at which it is replaced. @default '8760h' */
  readonly renewBefore?: DurationLike | undefined;
  /** Validity of the Certificate of the identity issuer. @default - that of Linkerd's guide */
  readonly identityIssuer?: Validity | undefined;
  /** Name of the cluster among those that share the anchor. @default - none */
  readonly cluster?: string | undefined;
}

/** An operator for a mesh that another program installed. */
export interface InstalledOperator {
  /** Namespace of the operator. */
  readonly namespace: string;
  readonly linkerdNamespace: string;
  readonly certManagerNamespace: string;
  /** The installed version of cert-manager, or the nearest older known one. @default - the newest known version */
  readonly certManagerVersion?: CertManagerVersion | undefined;
  /** The installed version of trust-manager, or the nearest older known one. @default - the newest known version */
  readonly trustManagerVersion?: TrustManagerVersion | undefined;
  /** @default - the release in the values, if it is known, else the newest known release */
  readonly release?: LinkerdVersion | undefined;
  /** The values of the installed control plane. @default - those of Linkerd's guide */
  readonly values?: Values | undefined;
  /** Rotate the trust anchor. @default - do not rotate it */
  readonly rotation?: InstalledRotation | undefined;
  /** The values of a LinkerdConfig. @default - no LinkerdConfig */
  readonly config?: Values | undefined;
  /** Attach pods to the CNI plugin through Multus. */
  readonly multus: boolean;
  readonly cniNamespace: string;
  /** Field managers that install the control plane. @default - those of Argo CD, Flux, Helm and the linkerd CLI */
  readonly installers?: readonly string[] | undefined;
  /** The operator's image. @default - a stock Node.js image with the program in a ConfigMap */
  readonly image?: string | undefined;
}

/** The objects of an operator, or the problems. */
export type InstalledObjects =
  | {
      readonly objects: readonly KubernetesObject[];
      readonly warnings: readonly Problem[];
      /** The shortest renewBefore of an anchor that the rotation accepts, in milliseconds. */
      readonly leastRenewBefore: number;
    }
  | { readonly problems: readonly Problem[] };

/**
 * Returns the objects of a ReconcilerOperator for a mesh that another program installed; for a rotation, also the
 * Bundle of the trust roots and the Issuer of anchors. Namespaces and CRDs come first.
 */
export function installedOperator(request: InstalledOperator): InstalledObjects {
  const unusable = checkTexts(request);
  if (unusable.length > 0) return { problems: inOptions(unusable) };
  const app = new App();
  try {
    const chart = new Chart(app, 'installed');
    const pki = addOperator(chart, request);
    const findings = findingsIn(app);
    const problems = problemsOf(findings, 'error');
    if (problems.length > 0) return { problems: inOptions(problems) };
    const objects = inInstallOrder((chart.toJson() as KubernetesObject[]).map(kept));
    const isFirst = ({ kind }: KubernetesObject) => FIRST.includes(kind);
    const ordered = [...objects.filter(isFirst), ...objects.filter((object) => !isFirst(object))];
    return {
      objects: ordered,
      leastRenewBefore: leastRenewBefore(pki),
      warnings: inOptions(problemsOf(findings, 'warning')),
    };
  } catch (error) {
    if (error instanceof PropsError) return { problems: inOptions(error.problems) };
    throw error;
  }
}

/** Checks texts by the names of their options: constructs would report them for each object, by their props. */
function checkTexts(request: InstalledOperator): readonly Problem[] {
  const { namespace, linkerdNamespace, certManagerNamespace, cniNamespace, rotation = {} } = request;
  const { duration, renewBefore } = rotation;
  return [
    ...checkDnsLabel('--namespace', namespace),
    ...checkDnsLabel('--linkerd-namespace', linkerdNamespace),
    ...checkDnsLabel('--cert-manager-namespace', certManagerNamespace),
    ...checkDnsLabel('--cni-namespace', cniNamespace),
    ...(duration === undefined ? [] : checkGoDuration('--duration', duration)),
    ...(renewBefore === undefined ? [] : checkGoDuration('--renew-before', renewBefore)),
  ];
}

/** kubectl applies objects in the order of the text. */
const FIRST: readonly string[] = ['Namespace', 'CustomResourceDefinition'];

function problemsOf(findings: readonly Finding[], severity: Finding['severity']): readonly Problem[] {
  return findings.filter((finding) => finding.severity === severity).map(({ problem }) => problem);
}

/** Does not include kubectl, because users also change objects with kubectl. */
const INSTALLERS = ['argocd-controller', 'helm', 'helm-controller', 'kustomize-controller', 'linkerd'];

function addOperator(chart: Chart, request: InstalledOperator): PkiSettings {
  const { namespace, rotation, multus, config, image, installers = INSTALLERS, certManagerNamespace } = request;
  const values = request.values ?? guideValues(multus);
  const known = LINKERD_VERSIONS.find((release) => release === values.linkerdVersion);
  const version = request.release ?? known ?? DEFAULT_LINKERD_VERSION;
  const certManager = CertManager.fromExisting(chart, 'cert-manager', {
    namespace: certManagerNamespace,
    ...defined({ version: request.certManagerVersion }),
  });
  const pki = new ExistingPKI(chart, 'pki', {
    certManager,
    controlPlaneNamespace: request.linkerdNamespace,
    ...settingsIn(values),
    ...(rotation !== undefined && { trustAnchor: anchorOf(rotation) }),
    ...defined({ identityIssuer: rotation?.identityIssuer }),
  });
  const hasCni = multus || values.cniEnabled === true;
  const cni = hasCni ? LinkerdCni.fromExisting(chart, 'cni', { version, namespace: request.cniNamespace }) : undefined;
  const installed = { pki, version, cni, values: withoutSecrets(values) as ControlPlaneValues };
  const controlPlane = LinkerdControlPlane.fromExisting<LinkerdVersion>(chart, 'linkerd', defined(installed));
  const operator = new ReconcilerOperator(chart, 'operator', {
    controlPlane,
    namespace,
    multus,
    installerFieldManagers: installers,
    ...(image !== undefined && { image: OperatorImage.fromRegistry(image) }),
  });
  if (rotation !== undefined) {
    const trustManager = TrustManager.fromExisting(chart, 'trust-manager', {
      trustNamespace: certManagerNamespace,
      ...defined({ version: request.trustManagerVersion }),
    });
    new TrustBundle(chart, 'trust', { pki, trustManager });
    // Issues later anchors. Older guides of Linkerd create the first anchor in another way.
    const issuer = selfSignedIssuer(new Construct(chart, 'roots'), SELF_SIGNED_ISSUER, certManagerNamespace);
    // The guide's Certificates name it, and stay when the operator is removed.
    for (const [key, value] of Object.entries(keepOnPrune())) issuer.metadata.addAnnotation(key, value);
  }
  if (config !== undefined) new LinkerdConfig(chart, 'config', { operator, values: config as ControlPlaneValues });
  return pki;
}

/** Returns the values that differ from the chart's defaults in a mesh that follows Linkerd's guides. */
function guideValues(multus: boolean): Values {
  return {
    identity: { externalCA: true, issuer: { scheme: 'kubernetes.io/tls' } },
    ...(multus && { cniEnabled: true, podAnnotations: MultusAttach.podAnnotations }),
  };
}

const SETTINGS = {
  clusterDomain: 'clusterDomain',
  trustDomain: 'identityTrustDomain',
  issuanceLifetime: 'identity.issuer.issuanceLifetime',
  clockSkewAllowance: 'identity.issuer.clockSkewAllowance',
} as const satisfies Partial<Record<keyof ExistingCertManagerPKIProps, string>>;

/** Ignores empty strings, as the chart does. */
function settingsIn(values: Values): Pick<ExistingCertManagerPKIProps, keyof typeof SETTINGS> {
  // The construct reports strings that are not durations.
  return Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([prop, path]) => {
      const value = valueAt(values, path);
      return typeof value === 'string' && value !== '' ? [[prop, value]] : [];
    }),
  );
}

function anchorOf({ duration, renewBefore, cluster }: InstalledRotation): ExistingAnchor {
  return {
    duration: duration ?? USUAL_ANCHOR.duration,
    renewBefore: renewBefore ?? USUAL_ANCHOR.renewBefore,
    ...(cluster !== undefined && { operator: { cluster } }),
  };
}

/** Adds annotations, so that Helm and Flux also keep the objects that Argo CD must not prune. */
function kept(object: KubernetesObject): KubernetesObject {
  const { annotations } = object.metadata;
  if (annotations?.[SYNC_OPTIONS] === undefined) return object;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, ...KEPT } } };
}

const KEPT = { 'helm.sh/resource-policy': 'keep', 'kustomize.toolkit.fluxcd.io/prune': 'disabled' };
