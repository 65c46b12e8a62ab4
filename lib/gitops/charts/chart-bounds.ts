import { listed } from '#base/findings/listed';
import type { Problem } from '#base/findings/problem';
import { remembered } from '#base/remembered';
import { COMPARE_OPTIONS, keepOnPrune, SYNC_OPTIONS } from '#kubernetes/objects/argocd-annotations';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';
import type { Warning } from '../../checks/warnings';
import { CHART_FINDINGS } from './findings';

type Objects = readonly KubernetesObject[];

const MAX_NAMED = 10;

/**
 * Checks that a chart renders only what it declares: the kinds in `kinds`, in the release's own namespace and in
 * `foreignNamespaces`. For a chart that Argo CD inflates, its project permits the same.
 */
export function checkBounds(chart: PinnedChart, namespace: string, objects: Objects): readonly Problem[] {
  const kinds = new Set<string>(chart.kinds);
  const namespaces = new Set([namespace, ...chart.foreignNamespaces]);
  const ofKinds = objects.filter((object) => !kinds.has(kindOf(object)));
  const elsewhere = objects.filter((object) => !namespaces.has(namespaceOf(object) ?? namespace));
  const rendered = (found: Objects) => ({
    chart: `${chart.name} ${chart.version}`,
    objects: listed([...new Set(found.map(describeObject))], MAX_NAMED),
  });
  return [
    ...(ofKinds.length === 0
      ? []
      : [
          CHART_FINDINGS.chartExceedsDeclarationKinds({
            ...rendered(ofKinds),
            kinds: quoted([...kinds, ...ofKinds.map(kindOf)]),
          }),
        ]),
    ...(elsewhere.length === 0
      ? []
      : [
          CHART_FINDINGS.chartExceedsDeclarationNamespaces({
            ...rendered(elsewhere),
            namespace,
            namespaces: quoted([...chart.foreignNamespaces, ...elsewhere.map((object) => `${namespaceOf(object)}`)]),
          }),
        ]),
  ];
}

/** Annotations by which an object claims to belong to an Application, with which Argo CD would prune it. */
const CLAIMS: readonly string[] = ['argocd.argoproj.io/tracking-id', 'argocd.argoproj.io/installation-id'];

/** Reports objects of a chart that claim to belong to another Application. */
export function checkClaims({ name, version }: PinnedChart, objects: Objects): readonly Problem[] {
  return steering(objects)
    .filter(({ annotation }) => CLAIMS.includes(annotation))
    .map((found) => CHART_FINDINGS.chartClaimsObject({ chart: `${name} ${version}`, ...found }));
}

/** Warns of annotations of a chart that change how Argo CD syncs, orders or compares its objects. */
export function steeringWarnings({ name, version }: PinnedChart, objects: Objects): readonly Warning[] {
  return steering(objects)
    .filter(({ annotation }) => !CLAIMS.includes(annotation))
    .map((found) => CHART_FINDINGS.chartSteersSync({ chart: `${name} ${version}`, ...found }));
}

interface Steering {
  readonly annotation: string;
  readonly value: string;
  readonly objects: string;
}

const steering = remembered((objects: Objects): readonly Steering[] => {
  const found = new Map<string, { readonly annotation: string; readonly value: string; readonly of: string[] }>();
  for (const object of objects) {
    for (const [annotation, value] of Object.entries(broughtAnnotations(object))) {
      const key = JSON.stringify([annotation, value]);
      const known = found.get(key) ?? { annotation, value, of: [] };
      known.of.push(describeObject(object));
      found.set(key, known);
    }
  }
  return [...found.values()].map(({ annotation, value, of }) => ({
    annotation,
    value,
    objects: listed(of, MAX_NAMED),
  }));
});

function broughtAnnotations({ kind, metadata }: KubernetesObject): Readonly<Record<string, string>> {
  const all = Object.entries<unknown>(metadata.annotations ?? {}).filter(([name]) =>
    /(?:^|\.)argoproj\.io\//.test(name),
  );
  const added: Readonly<Record<string, string | undefined>> = kind === 'CustomResourceDefinition' ? keepOnPrune() : {};
  const brought = all.map(([name, value]): [string, string] => {
    const own = added[name];
    const isSet = name === SYNC_OPTIONS || name === COMPARE_OPTIONS;
    return [name, isSet && own !== undefined ? `${value}`.replace(own, '').replace(/,$/, '') : `${value}`];
  });
  return Object.fromEntries(brought.filter(([name, value]) => value !== '' || added[name] === undefined));
}

function kindOf({ apiVersion, kind }: KubernetesObject): string {
  return `${apiGroup(apiVersion)}/${kind}`;
}

/** Undefined for cluster-scoped objects other than Namespaces. */
function namespaceOf(object: KubernetesObject): string | undefined {
  return kindOf(object) === '/Namespace' ? object.metadata.name : object.metadata.namespace;
}

function quoted(texts: readonly string[]): string {
  return [...new Set(texts)]
    .sort()
    .map((text) => JSON.stringify(text).replace(/^"(.*)"$/, "'$1'"))
    .join(', ');
}
