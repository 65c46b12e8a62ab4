import type { Problem } from '#base/findings/problem';
import { RecentMap, remembered } from '#base/remembered';
import { textIn } from '#base/select-fields';
import type { Values } from '#base/values';
import type { Chart } from '#helm/chart/chart';
import { ChartError } from '#helm/chart/chart-error';
import type { OpenedChart } from '#helm/chart/open-chart';
import { type RenderedManifests, type RenderedObject, renderChart } from '#helm/render';
import { keepOnPrune, SYNC_OPTIONS } from '#kubernetes/objects/argocd-annotations';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { type ImageMirror, mirroredImage } from '#kubernetes/objects/mirrored-image';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import { podContainers } from '#kubernetes/objects/pod-places';
import { type ClusterScopedKinds, isClusterScoped } from '#kubernetes/objects/scope';
import { isClusterScoped as isClusterScopedOfMesh } from '../api-groups';
import type { NativeRenderer } from '../charts/chart';
import { releaseChartFault } from '../releases/chart-faults';
import { chartProblem } from './findings';

interface ChartRendererOptions {
  readonly name: string;
  readonly namespace: string;
  readonly kubeVersion: string;
  readonly apiVersions: readonly string[];
  readonly images?: ImageMirror | undefined;
}

interface Attempt {
  readonly objects: readonly KubernetesObject[];
  readonly problems: readonly Problem[];
}

/**
 * Returns a renderer that runs the templates of a chart. It returns the objects that Argo CD would apply, each with its
 * namespace. CRDs are never pruned, and tests are left out.
 */
export function chartRenderer({ chart, digest }: OpenedChart, options: ChartRendererOptions): NativeRenderer {
  const known = attemptsWith(chart);
  const attempt = (values: Values): Attempt => {
    const inputs = JSON.stringify([options, values]);
    const before = known.get(inputs);
    if (before !== undefined) return before;
    const made = deepFreeze(attemptOf(chart, values, options));
    known.set(inputs, made);
    return made;
  };
  return {
    fingerprint: JSON.stringify([digest, options]),
    check: (values) => attempt(values).problems,
    render: (values) => attempt(values).objects,
    intended: { differences: [], refusals: [], fixes: [] },
  };
}

/** Recent renders of each chart: clusters of a fleet share them, and each render follows a check of its values. */
const attemptsWith = remembered((_: Chart) => new RecentMap<Attempt>(() => 1, 8));

function attemptOf(chart: Chart, values: Values, options: ChartRendererOptions): Attempt {
  try {
    return { objects: objectsOf(renderChart(chart, { ...options, values }), options), problems: [] };
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    return { objects: [], problems: [chartProblem(error)] };
  }
}

/** Argo CD also applies hooks of Helm, except tests, which only `helm test` runs. */
function objectsOf(
  { crds, objects, hooks }: RenderedManifests,
  { namespace, images = {} }: ChartRendererOptions,
): readonly KubernetesObject[] {
  const applied = [...crds, ...objects, ...hooks.filter(({ isTest }) => !isTest)];
  const all = applied.map(named);
  const scopes = clusterScopedBy(all);
  return all.map((object) => kept(mirrored(placed(withoutStatus(object), namespace, scopes), images)));
}

function named({ object, source }: RenderedObject): KubernetesObject {
  const { kind, metadata } = object as {
    readonly kind: string;
    readonly metadata?: { readonly name?: unknown } | null;
  };
  if (typeof metadata?.name === 'string') return object as unknown as KubernetesObject;
  const [chart = '', ...file] = source.split('/');
  throw new ChartError({
    chart,
    file: file.join('/'),
    subject: kind,
    ...releaseChartFault('nameless', {}),
  });
}

function clusterScopedBy(objects: readonly KubernetesObject[]): ClusterScopedKinds {
  const kinds: Record<string, string[]> = {};
  for (const { kind, spec } of objects) {
    if (kind !== 'CustomResourceDefinition') continue;
    const { group, scope, names } = (spec ?? {}) as {
      readonly group?: string;
      readonly scope?: string;
      readonly names?: { readonly kind?: string };
    };
    if (scope !== 'Cluster' || group === undefined || names?.kind === undefined) continue;
    kinds[group] = [...(kinds[group] ?? []), names.kind];
  }
  return kinds;
}

/** Generators of CRDs leave an empty status, which the API server ignores. */
function withoutStatus(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'CustomResourceDefinition') return object;
  const { status: _status, ...rest } = object;
  return rest;
}

function placed(object: KubernetesObject, namespace: string, scopes: ClusterScopedKinds): KubernetesObject {
  const { namespace: own, ...metadata } = object.metadata;
  if (isClusterScoped(object, scopes) || isClusterScopedOfMesh(object)) return { ...object, metadata };
  // Templates print an empty namespace if a value is not set.
  return { ...object, metadata: { ...metadata, namespace: own || namespace } };
}

/** Protects a CRD from pruning, which would delete all its custom resources. Sync options of the chart stay. */
function kept(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'CustomResourceDefinition') return object;
  const annotations = object.metadata.annotations ?? {};
  const keep = keepOnPrune();
  const options = [annotations[SYNC_OPTIONS], keep[SYNC_OPTIONS]].filter((option) => option !== undefined).join(',');
  const all = { ...annotations, ...keep, [SYNC_OPTIONS]: options };
  return { ...object, metadata: { ...object.metadata, annotations: all } };
}

function mirrored(object: KubernetesObject, images: ImageMirror): KubernetesObject {
  if (podContainers(object).length === 0) return object;
  const copy = structuredClone(object);
  for (const { value } of podContainers(copy)) {
    const image = textIn(value, 'image');
    if (image !== undefined) (value as { image: string }).image = mirroredImage(image, images);
  }
  return copy;
}
