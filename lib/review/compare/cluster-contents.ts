import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { CREATED_BY, INJECT } from '#linkerd/annotations';
import { type LinkerdPart, partOfChart } from '#linkerd/releases/charts';
import { type Installed, type InstalledReleases, installedFrom } from '#linkerd/releases/installed';
import type { ChartDependency, FileReader } from '../../gitops/changes/file-contents';
import { requestsProxy } from '../../policy/pod-sets';
import { isMeshConfig, meshValues } from './object-changes';
import type { ClusterFiles } from './output';

/** A chart that Helm inflates, with its values and namespace. */
export interface InflatedChart extends ChartDependency {
  readonly namespace: string;
  readonly values: Values;
}

/** The values of the parts of Linkerd in an output. */
export type PartValues = Readonly<Partial<Record<LinkerdPart, GivenPart>>>;

/** The values of one part. */
export interface GivenPart {
  readonly values: Values;
  /** The values include the chart's own, as in the ConfigMap of a control plane. */
  readonly isWhole: boolean;
}

/** The namespaces of the parts of Linkerd. */
export type PartNamespaces = Readonly<Partial<Record<LinkerdPart, string>>>;

/** The contents of a cluster's output that matter even if their files are equal. */
export interface ClusterContents extends ClusterFacts {
  /** The values of each part, from its chart or ConfigMap. */
  readonly values: PartValues;
}

/** The contents of a cluster's output without the values of the control plane, which take most of the reading time. */
export interface ClusterFacts {
  /** The charts that Helm inflates. */
  readonly charts: readonly InflatedChart[];
  /** Undefined if nothing of Linkerd is installed, or if that is unknown. */
  readonly installed: Installed | undefined;
  /** The namespace of each part. */
  readonly namespaces: PartNamespaces;
  /** The namespaces with injection enabled. */
  readonly injected: readonly string[];
  /** The operator restarts workloads with its label. */
  readonly hasConfig: boolean;
}

const CHART = /^([^/]+)\/(?:Chart|values)\.yaml$/;
const MESH_VALUES = /\/configmap\.linkerd-config\.yaml$/;
const NAMESPACE = /\/namespace\.[^/]+\.yaml$/;
const CONFIG = /\/linkerdconfig\.[^/]+\.yaml$/;

/** Objects that name the release of their part, for outputs of older libraries. */
const TELLING: Readonly<Record<Exclude<LinkerdPart, 'crds' | 'jaeger' | 'multicluster'>, RegExp>> = {
  controlPlane: MESH_VALUES,
  cni: /\/daemonset\.linkerd-cni\.yaml$/,
  viz: /\/deployment\.metrics-api\.yaml$/,
};

/** Reads the contents of a cluster's output. */
export function clusterContents(cluster: ClusterFiles, reader: FileReader): ClusterContents {
  const facts = clusterFacts(cluster, reader);
  const [mesh] = objectsAt(MESH_VALUES, cluster, reader).map(meshValues);
  const inflated = facts.charts.flatMap(({ name, values }) => {
    const part = partOfChart(name);
    return part === undefined ? [] : [[part, { values, isWhole: false }] as const];
  });
  const values = {
    ...(mesh === undefined ? {} : { controlPlane: { values: mesh, isWhole: true } }),
    ...Object.fromEntries(inflated),
  };
  return { ...facts, values };
}

/** Reads some of the values of the control plane, in less time than its contents. */
export function controlPlaneValues<Part>(
  cluster: ClusterFiles,
  charts: readonly InflatedChart[],
  reader: FileReader,
  select: (values: Values) => Part,
): Part {
  const chart = charts.findLast(({ name }) => partOfChart(name) === 'controlPlane');
  const [mesh] = chart === undefined ? objectsAt(MESH_VALUES, cluster, reader) : [];
  if (mesh !== undefined && isMeshConfig(mesh)) return reader.valuesIn(mesh, 'values', select);
  return select(chart?.values ?? {});
}

/** Reads the contents of a cluster's output, except values. */
export function clusterFacts(cluster: ClusterFiles, reader: FileReader): ClusterFacts {
  const charts = chartsIn(cluster.files, reader);
  const objects = (path: RegExp) => objectsAt(path, cluster, reader);
  return {
    charts,
    installed: installedIn(cluster, charts, reader),
    namespaces: namespacesOf(charts, cluster.files),
    injected: objects(NAMESPACE)
      .filter(({ metadata }) => requestsProxy(metadata.annotations?.[INJECT]))
      .map(({ metadata }) => metadata.name),
    hasConfig: objects(CONFIG).length > 0,
  };
}

/** Returns what is installed, by the index, or by the files if the index does not say it. */
export function installedIn(
  cluster: ClusterFiles,
  charts: readonly InflatedChart[],
  reader: FileReader,
): Installed | undefined {
  const { installed, damage } = cluster.index;
  const known = installed ?? (damage === undefined ? undefined : installedByFiles(charts));
  return known?.isPartial ? completed(known, (path) => objectsAt(path, cluster, reader)) : known;
}

/** Returns the objects in files with such paths. */
export function objectsAt(path: RegExp, { files }: ClusterFiles, reader: FileReader): readonly KubernetesObject[] {
  return [...files].flatMap(([name, text]) => (path.test(name) ? objectIn(reader, name, text) : []));
}

function installedByFiles(charts: readonly InflatedChart[]): Installed | undefined {
  return installedFrom({ charts: charts.map(({ name, version }) => `${name} ${version}`) });
}

/** Returns the charts that Helm inflates. */
export function chartsIn(files: ClusterFiles['files'], reader: FileReader): readonly InflatedChart[] {
  return [...files].flatMap(([path, text]) => {
    const [, namespace] = CHART.exec(path) ?? [];
    const contents = namespace === undefined ? undefined : reader.read(path, text);
    if (namespace === undefined || contents?.is !== 'charts') return [];
    const valuesPath = `${namespace}/values.yaml`;
    const given = reader.read(valuesPath, files.get(valuesPath) ?? '');
    return contents.charts.map((chart) => ({
      ...chart,
      namespace,
      values: (given.is === 'values' ? given.values[chart.name] : undefined) ?? {},
    }));
  });
}

function namespacesOf(charts: readonly InflatedChart[], files: ClusterFiles['files']): PartNamespaces {
  const named = Object.entries(TELLING).flatMap(([part, path]) => {
    const [found] = [...files.keys()].filter((name) => path.test(name));
    return found === undefined ? [] : [[part, found.slice(0, found.indexOf('/'))] as const];
  });
  const inflated = charts.flatMap(({ name, namespace }) => {
    const part = partOfChart(name);
    return part === undefined ? [] : [[part, namespace] as const];
  });
  return Object.fromEntries([...named, ...inflated]);
}

function objectIn(reader: FileReader, path: string, text: string): readonly KubernetesObject[] {
  const contents = reader.read(path, text);
  return contents.is === 'object' ? [contents.object] : [];
}

/** Adds releases that indexes of older libraries lack. The CNI plugin's is that of the CRDs: its objects name none. */
function completed(installed: Installed, objects: (path: RegExp) => readonly KubernetesObject[]): Installed {
  const found = Object.entries(TELLING).flatMap(([part, path]) => {
    const [object] = objects(path);
    if (object === undefined) return [];
    const creator = object.metadata.annotations?.[CREATED_BY] ?? '';
    const [release = installed.releases.crds] = /\b(?:edge|stable)-[\d.]+\b/.exec(creator) ?? [];
    return release === undefined ? [] : [[part, release] as const];
  });
  const releases: InstalledReleases = { ...installed.releases, ...Object.fromEntries(found) };
  return { ...installed, releases };
}
