import type { Problem } from '../../kubernetes/findings/problem';
import { unsaid } from '../../kubernetes/findings/unsaid';
import { type Values, valueAt } from '../../kubernetes/values';
import { checkPodSecurityPolicy } from '../../linkerd/charts/pod-security-policy';
import { checkControllerTracing } from '../../linkerd/charts/tracing-rules';
import { type Release, releaseOf } from '../../linkerd/releases/release';
import { checkCniAgreement } from './cni-agreement';
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
    .map(([name, other, own]) => ({
      code: 'releases-mixed',
      about: name,
      what: `${name} is of ${other}, but the control plane is ${own}`,
      why: 'Custom resources, chart values and images change between releases; only one release is tested with itself',
      fix: `use ${own} for both`,
    }));
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
    problems.push({
      code: 'control-plane-namespace-reserved',
      what: `The control plane's namespace is ${namespace}`,
      why: 'The namespace gets labels that keep its pods out of the mesh and loosen pod security, for everything in it',
      fix: 'give the control plane a namespace of its own: controlPlaneNamespace of CertManagerPKI',
    });
  }
  if (namespace === cni?.namespace) {
    problems.push({
      code: 'cni-namespace-shared',
      what: `The control plane and the CNI plugin are both in namespace ${namespace}`,
      why: 'Their namespaces need different labels, and the plugin must outlive the control plane for pods to start',
      fix: 'give LinkerdCni a namespace of its own',
    });
  }
  return problems;
}

function checkCni({ cni, values }: ControlPlaneFacts): readonly Problem[] {
  if (cni !== undefined) return checkCniAgreement(values, cni.effectiveValues);
  if (values.cniEnabled !== true) return [];
  return [
    {
      code: 'cni-missing',
      about: 'values.cniEnabled',
      what: 'values.cniEnabled is true, but there is no cni',
      why: 'Without the CNI plugin nothing redirects the traffic of pods to their proxies, and the network validator stops them',
      fix: 'set the prop cni, to a LinkerdCni or to LinkerdCni.fromExisting()',
    },
  ];
}

function checkPodMonitors({ monitoring, values }: ControlPlaneFacts): readonly Problem[] {
  if (!monitoring || valueAt(values, 'podMonitor.enabled') !== true) return [];
  return [
    {
      code: 'second-pod-monitors',
      what: 'Both the prop monitoring and values.podMonitor.enabled are set',
      why: 'Prometheus would scrape every proxy twice, and each rate would count double',
      fix: "keep the prop, or the chart's own PodMonitors by values.podMonitor",
    },
  ];
}
