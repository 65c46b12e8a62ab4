import type { Problem } from '#base/findings/problem';
import { remembered } from '#base/remembered';
import { isMap, type Values, valueAt } from '#base/values';
import { DEFAULT_KUBE_VERSION } from '#helm/kube-version';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import type { NativeRenderer } from '../charts/chart';
import type { LinkerdPart } from '../releases/charts';
import type { ReleaseChart } from '../releases/release-archives';
import { chartRenderer } from './chart-renderer';
import { LINKERD_CHART_FINDINGS } from './findings';
import { MARKED, SCHEDULE, withSchedule } from './linkerd-control-plane/cluster-schedule';
import { MULTICLUSTER_DIFFERENCES } from './linkerd-multicluster/intended-differences';
import { checkControlPlaneNamespace, checkNullLabels } from './missing-values';
import { amend } from './own-differences';
import { checkPodSecurityPolicy } from './pod-security-policy';
import { checkPrivateKeys } from './private-keys';
import { checkIssuerKey, checkServingCertificate, type ServingCertificate } from './serving-certificates';

interface OwnChartFacts {
  readonly part: LinkerdPart;
  readonly name: string;
  readonly linkerdVersion: string;
  readonly namespace: string;
}

/** Components with a certificate that API servers trust, by the keys of their values. */
const SERVED: Readonly<Partial<Record<LinkerdPart, readonly string[]>>> = {
  controlPlane: ['proxyInjector', 'profileValidator', 'policyValidator'],
  viz: ['tap', 'tapInjector'],
  jaeger: ['webhook'],
};

const EXTENSIONS: readonly LinkerdPart[] = ['viz', 'multicluster', 'jaeger'];

/**
 * Returns the renderer of a release's own chart: the output of its templates, with the intended differences of the
 * library's renderers. It refuses values with which the chart would print a key, and output with missing values.
 */
export function ownRenderer(
  chart: ReleaseChart,
  { part, name, namespace, linkerdVersion }: OwnChartFacts,
): NativeRenderer {
  const engineIn = (place: string) =>
    chartRenderer(chart, { name, namespace: place, kubeVersion: DEFAULT_KUBE_VERSION, apiVersions: [] });
  const inputs = (values: Values): Values => {
    const given = givenOver(chart.defaults, values);
    return part === 'controlPlane' ? { ...given, ...MARKED } : given;
  };
  const amended = remembered((objects: readonly KubernetesObject[]) => amend(objects, { part, linkerdVersion }));
  const rendered = (values: Values, place: string) =>
    amended(engineIn(place).render(inputs(values), { namespace: place }));
  return deepFreeze({
    fingerprint: chart.digest,
    check: (values) => {
      const problems = checkOwn(values, part);
      if (problems.length > 0) return problems;
      const failures = engineIn(namespace).check(inputs(values));
      return failures.length > 0 ? failures : checkPrinted(rendered(values, namespace));
    },
    render: (values, context) => {
      const objects = rendered(values, context.namespace);
      return part === 'controlPlane' ? withSchedule(objects, values, context) : objects;
    },
    ...(part === 'controlPlane' && { perCluster: SCHEDULE }),
    intended: { differences: part === 'multicluster' ? MULTICLUSTER_DIFFERENCES : [], refusals: [], fixes: [] },
  });
}

/** Returns the values that differ from a chart's own: null for those that are removed. */
function givenOver(defaults: Values, values: Values): Values {
  const removed = Object.keys(defaults).filter((key) => values[key] === undefined && defaults[key] !== null);
  const given = Object.entries(values).flatMap(([key, value]) => {
    const before = Object.hasOwn(defaults, key) ? defaults[key] : undefined;
    if (value === undefined || value === before) return [];
    if (!isMap(before) || !isMap(value)) {
      return JSON.stringify(before) === JSON.stringify(value) ? [] : [[key, value] as const];
    }
    const inside = givenOver(before, value);
    return Object.keys(inside).length === 0 ? [] : [[key, inside] as const];
  });
  return Object.fromEntries([...given, ...removed.map((key) => [key, null] as const)]);
}

function checkOwn(values: Values, part: LinkerdPart): readonly Problem[] {
  const { linkerdNamespace } = values;
  return [
    ...(EXTENSIONS.includes(part)
      ? checkControlPlaneNamespace({ linkerdNamespace: linkerdNamespace as string | undefined })
      : []),
    ...(SERVED[part] ?? []).flatMap((key) => {
      const component = values[key];
      return isMap(component) ? checkServingCertificate(key, component as unknown as ServingCertificate) : [];
    }),
    ...(part === 'controlPlane' ? checkIssuerKey(valueAt(values, 'identity.issuer.scheme')) : []),
    // The CNI plugin's templates print maps of labels as a whole.
    ...(part === 'cni' ? [] : checkNullLabels(values)),
    ...checkPrivateKeys(values),
    ...checkPodSecurityPolicy(values),
  ];
}

/** The text that Go prints for a missing value. */
const MISSING = /%![a-z]\(<nil>\)/;

const checkPrinted = remembered((objects: readonly KubernetesObject[]): readonly Problem[] =>
  objects
    .filter((object) => MISSING.test(JSON.stringify(object)))
    .map((object) => LINKERD_CHART_FINDINGS.chartValueMissingPrinted({ object: describeObject(object) })),
);
