import type { Problem } from '#base/findings/problem';
import { type Value, type Values, valueAt } from '#base/values';
import { type Release, releaseOf } from '#linkerd/releases/release';
import { checkHighAvailability } from '#linkerd/renderers/high-availability';
import { checkInjectedValues } from '#linkerd/renderers/injected-values';
import { checkPodSecurityPolicy } from '#linkerd/renderers/pod-security-policy';
import { checkControllerTracing } from '#linkerd/renderers/tracing-rules';
import { checkInjectorDeadlocks, type NeededNamespace } from '../../checks/linkerd/injector-deadlock';
import { CONTROL_PLANE_FINDINGS } from './findings';
import { checkKeyMaterialValues } from './key-material-rules';
import type { CniFacts } from './linkerd-cni';

/** The facts about a control plane that rules check. */
export interface ControlPlaneFacts {
  readonly release: Release;
  readonly namespace: string;
  readonly highAvailability: boolean;
  /** The construct creates PodMonitors. */
  readonly monitoring: boolean;
  readonly crds: { readonly release: Release };
  readonly cni?: CniFacts;
  /** Namespaces of components that the injector itself needs to start. */
  readonly needed: readonly NeededNamespace[];
  /** All values of the chart, including its defaults. */
  readonly values: Values;
}

/** Checks a control plane, except the types of its values. */
export function checkControlPlane(facts: ControlPlaneFacts): readonly Problem[] {
  return [...checkFacts(facts), ...checkInjectedValues(facts.release)(facts.values)];
}

function checkFacts(facts: ControlPlaneFacts): readonly Problem[] {
  return [
    ...checkVersions(facts),
    ...checkNamespaces(facts),
    ...checkCni(facts),
    ...(facts.highAvailability ? checkHighAvailability(facts.values) : []),
    ...checkKeyMaterialValues(facts.values),
    ...checkControllerTracing(facts.values),
    ...checkPodSecurityPolicy(facts.values),
    ...checkPodMonitors(facts),
    ...checkInjectorDeadlocks(facts.values, facts.needed),
  ];
}

function checkVersions({ release, crds, cni, values }: ControlPlaneFacts): readonly Problem[] {
  const parts: readonly (readonly [string, unknown, string])[] = [
    ['crds', nameOf(crds.release), nameOf(release)],
    ['cni', nameOf(cni?.release ?? release), nameOf(release)],
    ['values.linkerdVersion', values.linkerdVersion ?? release.version, release.version],
  ];
  return parts
    .filter(([, other, own]) => other !== own)
    .map(([component, other, own]) =>
      CONTROL_PLANE_FINDINGS.componentReleaseDiffers({ component, other: String(other), own }, { about: component }),
    );
}

function nameOf({ version, injectorLike }: Release): string {
  const known = releaseOf(injectorLike).version;
  return version === known ? version : `${version} (with the injector of ${known})`;
}

const TAKEN_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

function checkNamespaces({ namespace, cni }: ControlPlaneFacts): readonly Problem[] {
  const problems: Problem[] = [];
  if (TAKEN_NAMESPACES.includes(namespace)) {
    problems.push(CONTROL_PLANE_FINDINGS.controlPlaneNamespaceReserved({ namespace }));
  }
  if (namespace === cni?.namespace) {
    problems.push(CONTROL_PLANE_FINDINGS.cniMismatchNamespace({ namespace }));
  }
  return problems;
}

function checkCni({ cni, values }: ControlPlaneFacts): readonly Problem[] {
  if (cni !== undefined) return checkCniAgreement(values, cni.effectiveValues);
  return values.cniEnabled === true
    ? [CONTROL_PLANE_FINDINGS.cniMismatchMissing({}, { about: 'values.cniEnabled' })]
    : [];
}

function checkPodMonitors({ monitoring, values }: ControlPlaneFacts): readonly Problem[] {
  const isTwice = monitoring && valueAt(values, 'podMonitor.enabled') === true;
  return isTwice ? [CONTROL_PLANE_FINDINGS.controlPlaneValueRefusedPodMonitors()] : [];
}

/** Values that must agree: the key in linkerd2-cni, the path in linkerd-control-plane. */
const SHARED: readonly (readonly [cni: string, controlPlane: string])[] = [
  ['inboundProxyPort', 'proxy.ports.inbound'],
  ['outboundProxyPort', 'proxy.ports.outbound'],
  ['proxyAdminPort', 'proxy.ports.admin'],
  ['proxyControlPort', 'proxy.ports.control'],
  ['proxyUID', 'proxy.uid'],
  ['proxyGID', 'proxy.gid'],
  ['disableIPv6', 'disableIPv6'],
];

/** Reports differences between the proxies that the CNI plugin expects and those that the injector adds. */
export function checkCniAgreement(controlPlane: Values, cni: Values): readonly Problem[] {
  return SHARED.flatMap(([key, path]) => {
    const there = cni[key];
    const here = valueAt(controlPlane, path);
    return disagree(there, here) ? [problem(key, there, path, here)] : [];
  });
}

function disagree(one: Value | undefined, other: Value | undefined): boolean {
  // Other rules report a value of the wrong type.
  return typeof one === typeof other && one !== undefined && one !== other;
}

function problem(key: string, there: Value | undefined, path: string, here: Value | undefined): Problem {
  return CONTROL_PLANE_FINDINGS.cniMismatchValue(
    { path, here: String(here), key, there: String(there) },
    { about: `values.${path}` },
  );
}
