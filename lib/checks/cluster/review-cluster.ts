import { describeException } from '#base/findings/exception';
import { type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { remembered } from '#base/remembered';
import { textIn } from '#base/select-fields';
import { mergeValues, type Values, valueAt } from '#base/values';
import { checkByApiRules } from '#kubernetes/api-rules/walk';
import { checkKeyMaterial } from '#kubernetes/objects/key-material';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { checkPlainObject } from '#kubernetes/objects/plain-data';
import { isNamespace } from '#kubernetes/objects/pod-places';
import { hasSchema } from '#kubernetes/schemas/schema';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import { DEFAULT_PORTS } from '#linkerd/ports';
import { partOfChart } from '#linkerd/releases/charts';
import { checkSigner, signersAmong } from '../certificate-chains';
import { BUNDLE, CERTIFICATE, checkCertificateSecrets, issuedSecrets } from '../certificate-checks';
import { KNOWN_KIND } from '../known-kinds';
import { checkAnnotations } from '../linkerd/annotation-check';
import { checkIdentityIssuer, isIdentityIssuer } from '../linkerd/identity-issuer-check';
import { checkByMesh } from '../linkerd/mesh-settings-check';
import { checkQuota } from '../linkerd/quota-check';
import { metFaults } from '../linkerd/release-faults';
import { type ClusterFacts, SERVED } from '../linkerd/served-check';
import { checkCollectors, sendsTraces } from '../linkerd/value-references';
import { METADATA } from '../object-metadata';
import { isAbout, type ObjectRule, type PlacedObject } from '../object-rule';
import { IMAGES, JOB, POD_USER } from '../pod-checks';
import { POLICY_ADMISSION } from '../policy/admission-check';
import { checkPolicies } from '../policy/check-policies';
import { PodIndex } from '../policy/pod-index';
import { injectorValuesIn, proxySettings, proxySettingsIn } from '../policy/proxy-settings';
import { CA_BUNDLE, certificateNames, WEBHOOK } from '../webhook-check';
import type { CheckedCluster } from './checked-cluster';
import {
  declaredCertificates,
  inflatedMesh,
  injectorIn,
  installedParts,
  linkerdDefinitions,
  lookupNamespaces,
} from './declared';
import { reviewMeshedPods } from './review-meshed';
import { reviewValues } from './review-values';

const KEY_MATERIAL: ObjectRule = { kinds: 'any', check: checkKeyMaterial };
const API_RULES: ObjectRule = { kinds: 'any', check: checkByApiRules };

const RULES: readonly ObjectRule[] = [
  KNOWN_KIND,
  KEY_MATERIAL,
  METADATA,
  API_RULES,
  JOB,
  IMAGES,
  POD_USER,
  POLICY_ADMISSION,
  CERTIFICATE,
  CA_BUNDLE,
];

const RULES_IN_CLUSTER: readonly ObjectRule<ClusterFacts>[] = [WEBHOOK, BUNDLE, SERVED];

/** Checks each object of a cluster on its own. */
export function reviewObjects({ objects }: CheckedCluster): readonly Finding[] {
  return objects.flatMap((placed) => findingsAt(placed.path, checkPlaced(placed)));
}

/** Checks the objects of a cluster together. */
export function reviewTogether(cluster: CheckedCluster): readonly Finding[] {
  const { objects } = cluster;
  const facts = factsOf(cluster);
  return [
    ...objects.flatMap((placed) => {
      const { path, object } = placed;
      const rules = isUnwritable(checkPlaced(placed)) ? [] : rulesInClusterFor(object);
      return findingsAt(
        path,
        rules.flatMap((rule) => attempt(() => rule.check(object, facts))),
      );
    }),
    ...checkCertificateSecrets(objects),
    ...certificateFindings(cluster, facts),
    ...annotationFindings(cluster, facts),
    ...collectorFindings(cluster),
    ...quotaFindings(objects, facts),
    ...faultFindings(cluster),
    ...ciliumFindings(cluster),
    ...reviewMeshedPods(cluster),
    ...reviewValues(cluster),
    ...policyFindings(objects, facts),
  ];
}

/** Returns the problems of an object; none if the object that is checked instead has none. */
function checkPlaced({ object, checkedAs = object }: PlacedObject): readonly Problem[] {
  const problems = checkOwn(checkedAs);
  return problems.length === 0 || checkedAs === object ? problems : checkOwn(object);
}

/** Whether an object contains data that is not plain, which other rules cannot read. */
function isUnwritable(own: readonly Problem[]): boolean {
  return own.some(({ code, cause }) => code === 'wrong-type' && cause === 'plain-data');
}

function factsOf(cluster: CheckedCluster): ClusterFacts {
  const objects = cluster.objects.map(({ object }) => object);
  return {
    certificates: new Map([...declaredCertificates(cluster.declarations), ...certificateNames(objects)]),
    issued: issuedSecrets(objects),
    // The chart's default.
    trustNamespace: lookupNamespaces(cluster).bundles ?? 'cert-manager',
    linkerd: linkerdDefinitions(cluster),
    inflatedMesh: inflatedMesh(cluster),
  };
}

const rulesInClusterFor = remembered((object: KubernetesObject) =>
  RULES_IN_CLUSTER.filter((rule) => isAbout(rule, object)),
);

const checkOwn = remembered((object: KubernetesObject): readonly Problem[] => {
  const problems = attempt(() => RULES.flatMap((rule) => (isAbout(rule, object) ? rule.check(object, undefined) : [])));
  // Other rules may throw on data that is not plain, or accept it: then only the writer would report it.
  const unwritable = problems.length > 0 || !hasSchema(object) ? checkPlainObject(object) : [];
  return unwritable.length > 0 ? unwritable : problems;
});

function certificateFindings(cluster: CheckedCluster, { inflatedMesh = {} }: ClusterFacts): readonly Finding[] {
  const { objects } = cluster;
  const plain = objects.map(({ object }) => object);
  // Equal objects are the same object: the path of the first is reported.
  const paths = new Map(objects.toReversed().map(({ object, path }) => [object, path]));
  const signers = signersAmong(plain, lookupNamespaces(cluster).clusterIssuers);
  const issuers = objects.filter(({ object }) => isIdentityIssuer(object));
  const values = issuers.length === 0 ? {} : injectorValuesIn(plain, inflatedMesh);
  return [
    ...signers.flatMap((one) => findingsAt(paths.get(one.signer) ?? '', checkSigner(one))),
    ...issuers.flatMap(({ path, object }) => findingsAt(path, checkIdentityIssuer(object, values))),
  ];
}

/** The charts of a cluster, with their values: those that Argo CD inflates, and those that are rendered. */
function chartsOf({ releases, rendered }: CheckedCluster) {
  return [
    ...releases.map(({ path, release }) => ({ ...release, path, isInflated: true })),
    ...rendered.map((release) => ({ ...release, isInflated: false })),
  ];
}

/** Cilium's chart sets `cni.exclusive` by default. */
function ciliumFindings(cluster: CheckedCluster): readonly Finding[] {
  const { objects, releases } = cluster;
  if (!chartsOf(cluster).some(({ chart }) => partOfChart(chart.name) === 'cni')) return [];
  const inflated = releases
    .filter(({ release: { chart, values } }) => chart.name === 'cilium' && valueAt(values, 'cni.exclusive') !== false)
    .map(({ path }) => ({ path, object: 'Chart cilium' }));
  const own = objects
    .filter(({ object }) => object.kind === 'ConfigMap' && textIn(object.data, 'cni-exclusive') === 'true')
    .map(({ path, object }) => ({ path, object: describeObject(object) }));
  return [...inflated, ...own].flatMap(({ path, object }) =>
    findingsAt(path, [LINKERD_FINDINGS.cniMismatchExclusive({ object })]),
  );
}

function faultFindings(cluster: CheckedCluster): readonly Finding[] {
  const parts = installedParts(cluster);
  const faults = metFaults({
    releases: Object.fromEntries(parts.map(({ part, release }) => [part, release])),
    inflated: Object.fromEntries(
      parts.flatMap(({ part, inflated }) => (inflated === undefined ? [] : [[part, inflated]])),
    ),
    objects: cluster.objects.map(({ object }) => object),
  });
  return faults.flatMap(({ part, warning }) =>
    findingsAt(parts.find((one) => one.part === part)?.path ?? '', [warning]),
  );
}

const QUOTAS: readonly string[] = ['ResourceQuota', 'LimitRange'];

function quotaFindings(objects: readonly PlacedObject[], { inflatedMesh = {} }: ClusterFacts): readonly Finding[] {
  const quotas = objects.filter(({ object: { apiVersion, kind } }) => apiVersion === 'v1' && QUOTAS.includes(kind));
  if (quotas.length === 0) return [];
  const plain = objects.map(({ object }) => object);
  const values = injectorValuesIn(plain, inflatedMesh);
  const context = {
    index: new PodIndex(plain, () => proxySettings(values)),
    values,
    limitRanges: quotas.map(({ object }) => object).filter(({ kind }) => kind === 'LimitRange'),
  };
  return quotas.flatMap(({ object, path }) =>
    findingsAt(
      path,
      attempt(() => checkQuota(object, context)),
    ),
  );
}

function collectorFindings(cluster: CheckedCluster): readonly Finding[] {
  const controlPlane = chartsOf(cluster).find(({ chart }) => partOfChart(chart.name) === 'controlPlane');
  if (controlPlane === undefined || !sendsTraces(controlPlane.values)) return [];
  const plain = cluster.objects.map(({ object }) => object);
  const index = new PodIndex(plain, () => proxySettingsIn(plain, {}));
  const services = plain.filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Service');
  return findingsAt(
    controlPlane.path,
    attempt(() => checkCollectors(controlPlane.values, index, services)),
  );
}

function annotationFindings(cluster: CheckedCluster, { inflatedMesh = {} }: ClusterFacts): readonly Finding[] {
  const injector = injectorIn(cluster);
  const plain = cluster.objects.map(({ object }) => object);
  const namespaces = plain
    .filter(isNamespace)
    .map(({ metadata }) => [metadata.name, metadata.annotations ?? {}] as const);
  // The values of an inflated chart lack its defaults.
  const base: Values =
    injector === undefined ? {} : { proxy: { ports: DEFAULT_PORTS }, proxyInit: { runAsRoot: false } };
  // Most clusters have no object whose check needs the values.
  let values: Values | undefined;
  const mesh = {
    values: () => {
      values ??= injectorValuesIn(plain, mergeValues(base, inflatedMesh));
      return values;
    },
    namespaces: new Map(namespaces),
  };
  return cluster.objects.flatMap((placed) => {
    if (isUnwritable(checkPlaced(placed))) return [];
    const found = checkAnnotations(placed.object, injector);
    return findingsAt(placed.path, [...found, ...attempt(() => checkByMesh(placed.object, mesh))]);
  });
}

/** An object of an unexpected shape prevents all of these checks. */
function policyFindings(objects: readonly PlacedObject[], { inflatedMesh }: ClusterFacts): readonly Finding[] {
  try {
    return checkPolicies(objects, inflatedMesh);
  } catch (error) {
    return findingsAt(objects[0]?.path ?? '', [unchecked('the policies', error)]);
  }
}

/** An object of an unexpected shape must not hide problems of others. */
function attempt(check: () => readonly Problem[]): readonly Problem[] {
  try {
    return check();
  } catch (error) {
    return [unchecked('the object', error)];
  }
}

function unchecked(what: string, error: unknown): Problem {
  return LINKERD_FINDINGS.objectUnchecked({ subject: what, exception: describeException(error) });
}
