import type { Problem } from '../../kubernetes/findings/problem';
import { unsaid } from '../../kubernetes/findings/unsaid';
import { type Values, valueAt } from '../../kubernetes/values';
import { checkPodSecurityPolicy } from '../../linkerd/charts/pod-security-policy';
import { checkControllerTracing } from '../../linkerd/charts/tracing-rules';
import { type Release, releaseOf } from '../../linkerd/releases/release';
import { checkCniAgreement } from './cni-agreement';
import { CONTROL_PLANE_FINDINGS } from './findings';
import { checkHighAvailability } from './high-availability';
import { checkInjectorDeadlocks, type NeededNamespace } from './injector-selector';
import { checkKeyMaterialValues } from './key-material-rules';
import type { CniFacts } from './linkerd-cni';
import { checkMeshValues } from './proxy-value-rules';

/** A part of the installation that a control plane is to work with. */
interface InstalledPart {
  readonly release: Release;
}

/** A control plane, as its rules look at it. */
export interface ControlPlaneFacts {
  readonly release: Release;
  readonly namespace: string;
  readonly highAvailability: boolean;
  /** Tells whether PodMonitors are made by the construct. */
  readonly monitoring: boolean;
  readonly crds: InstalledPart;
  readonly cni?: CniFacts;
  /** Namespaces of what the injector itself needs to start. */
  readonly needed: readonly NeededNamespace[];
  /** All values of the chart, its own defaults included. */
  readonly values: Values;
}

/** Checks a control plane, other than the types of its values. */
export function checkControlPlane(facts: ControlPlaneFacts): readonly Problem[] {
  const own = checkFacts(facts);
  return [...own, ...unsaid(checkMeshValues(facts.values, facts.release), [...own, ...DECIDED_BY_PKI])];
}

/** Values that follow from props of CertManagerPKI, where they are checked. */
const DECIDED_BY_PKI = [{ about: 'values.clusterDomain' }, { about: 'values.identityTrustDomain' }];

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

/** A release, and the known one whose templates it has where that is another. */
function nameOf({ version, like }: Release): string {
  const known = releaseOf(like).version;
  return version === known ? version : `${version} (like ${known})`;
}

const TAKEN_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

function checkNamespaces({ namespace, cni }: ControlPlaneFacts): readonly Problem[] {
  const problems: Problem[] = [];
  if (TAKEN_NAMESPACES.includes(namespace)) {
    problems.push(CONTROL_PLANE_FINDINGS.controlPlaneNamespaceReserved({ namespace }));
  }
  if (namespace === cni?.namespace) {
    problems.push(CONTROL_PLANE_FINDINGS.cniNamespaceShared({ namespace }));
  }
  return problems;
}

function checkCni({ cni, values }: ControlPlaneFacts): readonly Problem[] {
  if (cni !== undefined) return checkCniAgreement(values, cni.effectiveValues);
  return values.cniEnabled === true ? [CONTROL_PLANE_FINDINGS.cniMissing({}, { about: 'values.cniEnabled' })] : [];
}

function checkPodMonitors({ monitoring, values }: ControlPlaneFacts): readonly Problem[] {
  const isTwice = monitoring && valueAt(values, 'podMonitor.enabled') === true;
  return isTwice ? [CONTROL_PLANE_FINDINGS.secondPodMonitors()] : [];
}
