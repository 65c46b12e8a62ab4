import { type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { KUBERNETES_FINDINGS } from '#kubernetes/findings/findings';

/**
 * Codes of all warnings, and of errors that can be acknowledged, each with its subject. A code never changes its
 * meaning.
 */
export const WARNING_CODES = {
  'acknowledged-nothing': 'an acknowledgement matches no warning',
  'alert-metrics-missing': 'no construct makes Prometheus scrape the metrics that alerts need',
  'trust-anchor-unlabelled': 'a Secret with the trust anchor needs a label that synth cannot set',
  'annotation-without-effect': 'Linkerd does not read an annotation, or not on this kind of object',
  'anchor-certified-unconstrained': 'another cluster can issue every identity of this mesh',
  'anchor-renewal-automatic': "the trust anchor's renewal is 'automatic-unsafe'",
  'audit-inaccurate': 'an audited Server may count allowed clients',
  'chart-steers-sync': 'a chart has annotations for Argo CD',
  'cluster-renamed': 'a cluster has the destination of a cluster that is removed from the output',
  'crd-versions-at-risk': 'a CRD loses versions in which objects may be stored',
  'crd-versions-removed': 'a CRD loses the version in which objects are stored',
  'crds-undeclared': 'the output uses CRDs that nothing installs or declares',
  'dashboard-open': 'the dashboard does not authenticate its users',
  'default-deny-audits': 'a default deny without a mode refuses nothing',
  'destination-unused': 'a fleet finds the cluster by its name and ignores the server',
  'foreign-file': 'Argo CD applies a file that synth did not write',
  'gateway-api-taken-over': 'the output starts to include CRDs of the Gateway API',
  'gateway-api-undeclared': 'it is unknown whether the cluster has the CRDs of the Gateway API',
  'certificate-renewal-loop': 'a certificate is replaced less than an hour after it is issued',
  'host-regexp-too-broad': 'the dashboard answers requests for other hosts',
  'image-release-differs': 'an image has another release than the control plane, but of the same minor version',
  'config-values-unused': 'values of a LinkerdConfig have no effect',
  'index-damaged': 'the index of an output folder cannot be read',
  'ingress-denied': 'policies refuse clients of other namespaces at the backend of an Ingress',
  'ingress-nginx-retired': 'the dashboard is exposed by ingress-nginx, which is no longer maintained',
  'issuer-undeclared': 'nothing emits or declares the issuer of a certificate',
  'link-anchors-unknown': 'Git does not show whether two linked clusters trust each other',
  'link-trust-domain-default': 'two linked clusters share the default trust domain',
  'link-trust-domains-differ': 'two linked clusters have different trust domains',
  'link-version-skew': 'the releases of two linked clusters are further apart than Linkerd supports',
  'mesh-unscraped': 'nothing configures the Prometheus of Viz to scrape the mesh',
  'multus-without-webhooks': 'no webhook attaches pods to the networks',
  'certificate-alerts-missing': 'no alerts report certificates that are about to expire',
  'opaque-ports-without-effect': 'the opaque ports of a Service do not fit its ports, or those of its pods',
  'opaque-port-overridden': 'a Server makes proxies detect the protocol of an opaque port',
  'trust-root-duplicate': 'the trust roots contain a certificate twice',
  'output-elsewhere': 'the output is not in the folder that Argo CD reads',
  'policy-not-enforced': 'no proxy enforces a policy on some pods',
  'policy-reference-missing': 'a policy refers to another one that is not in the output',
  'policy-without-pods': 'a policy is for pods or a namespace that the output does not have',
  'probe-path-shared': 'a Server opens the path of a probe on pods that do not have that probe',
  'probe-paths-open': 'any client may request the paths of probes',
  'promoted-without-charts': 'a promotion lacks charts that are next to the output',
  'proxy-user-unset': 'nothing sets the UID of proxies to one in the range of the namespace',
  'proxy-version': 'proxies have another release than their control plane',
  'release-changed': 'Linkerd moves to another release',
  'release-fault': 'the configuration meets a known fault of the release',
  'release-lines-skipped': 'the control plane moves by more than one minor version',
  'release-lowered': 'Linkerd goes back to an older release',
  'release-injector-assumed': 'the proxy injector of a release from charts is assumed to be that of a known release',
  'operator-release-differs': 'the operator and synth treat an unknown release as two different releases',
  'ring-out-of-order': 'a release reaches a ring before an earlier ring',
  'rings-not-staged': 'a change reaches all rings at once',
  'rotation-below-renewing-anchor': 'a CronJob renews certificates of an anchor that is renewed automatically',
  'anchor-rotation-may-be-late': 'a rotation of the trust anchor may not complete before the anchor expires',
  'routes-partial': 'clients of a whole Server are refused if no route matches',
  'scraper-denied': 'policies refuse a Prometheus that should read metrics',
  'service-account-shared': 'a policy authorizes a service account that several workloads share',
  'update-refused': 'immutable fields of objects change',
  'values-not-seen': 'Argo CD does not see a change of values while the operator is in use',
  'webhook-ca-replaced': "a webhook's old CA is removed before the new certificate is loaded",
  'workload-unreachable': 'the ports of pods refuse all clients',
} as const satisfies Record<string, string>;

/** Code of a warning, by which it is acknowledged. */
export type WarningCode = keyof typeof WARNING_CODES;

/** Code of a finding of your own: see `ownFindings`. */
export type OwnCode = `own-${string}`;

/** Whether a code is one of your own: no code of the library has this form. */
export function isOwnCode(code: string): code is OwnCode {
  return /^own(?:-[a-z0-9]+)+$/.test(code);
}

/** A risk that the user may accept. */
export interface Warning extends Problem {
  readonly code: WarningCode | OwnCode;
}

/** A warning that the user accepts, and the reason. */
export interface Acknowledgement {
  readonly code: WarningCode | OwnCode;
  readonly reason: string;
  /** Do not warn if the acknowledgement matches no warning. */
  readonly ifAny?: boolean;
}

/** Checks an acknowledgement, which may come from JavaScript. */
export function checkAcknowledgement({ code, reason }: Acknowledgement): readonly Problem[] {
  if (!Object.hasOwn(WARNING_CODES, code) && !(typeof code === 'string' && isOwnCode(code))) {
    return [KUBERNETES_FINDINGS.acknowledgementRefusedUnknown({ code, known: Object.keys(WARNING_CODES).join(', ') })];
  }
  if (typeof reason === 'string' && reason.trim() !== '') return [];
  return [KUBERNETES_FINDINGS.acknowledgementRefusedReason({ code })];
}

/** An acknowledgement, and the path of the construct that it applies to, with all constructs below. */
export interface LocatedAcknowledgement extends Acknowledgement {
  readonly path: string;
}

interface SortedWarnings {
  /** Warnings that are not acknowledged, and one for each acknowledgement that matches no warning. */
  readonly open: readonly Finding[];
  readonly acknowledged: readonly Finding[];
}

/** Divides the warnings of one cluster into open and acknowledged ones. */
export function acknowledge(
  warnings: readonly Finding[],
  acknowledgements: readonly LocatedAcknowledgement[],
): SortedWarnings {
  const isAcknowledged = (warning: Finding) => acknowledgements.some((by) => covers(by, warning));
  const idle = acknowledgements.filter((by) => !by.ifAny && !warnings.some((warning) => covers(by, warning)));
  return {
    open: [
      ...warnings.filter((warning) => !isAcknowledged(warning)),
      ...idle.flatMap(({ path, code }) => findingsAt(path, [acknowledgedNothing(code)])),
    ],
    acknowledged: warnings.filter(isAcknowledged),
  };
}

/** Whether an acknowledgement applies to a warning. */
export function covers(by: LocatedAcknowledgement, { path, problem }: Finding): boolean {
  return by.code === problem.code && (path === by.path || path.startsWith(`${by.path}/`));
}

/** Whether a finding can be acknowledged. */
export function isLifted({ severity, problem: { code } }: Finding): boolean {
  return severity === 'warning' || Object.hasOwn(WARNING_CODES, code);
}

/** Returns the warning about an acknowledgement that matches no warning. */
export function acknowledgedNothing(code: Acknowledgement['code']): Warning {
  return KUBERNETES_FINDINGS.acknowledgedNothing({ code });
}
