import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { CREATED_BY, INJECT } from '#linkerd/annotations';
import { type LinkerdPart, partOfChart } from '#linkerd/releases/charts';
import { type Installed, type InstalledReleases, installedFrom } from '#linkerd/releases/installed';
import { requestsProxy } from '../../checks/policy/pod-sets';
import type { ChartDependency, FileReader } from '../../gitops/changes/file-contents';
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
  /** The values include the chart's defaults, as in the ConfigMap of a control plane. */
  readonly isWhole: boolean;
}

/** The namespaces of the parts of Linkerd. */
export type PartNamespaces = Readonly<Partial<Record<LinkerdPart, string>>>;

/** The facts of a cluster's output, and the values of its parts. */
export interface ClusterContents extends ClusterFacts {
  /** The values of each part, from its chart or ConfigMap. */
  readonly values: PartValues;
}

/** The facts of a cluster's output. The values of the control plane are not included: they take longest to read. */
export interface ClusterFacts {
  /** The charts that Helm inflates. */
  readonly charts: readonly InflatedChart[];
  /** Undefined if no part of Linkerd is installed, or if the installed parts are unknown. */
  readonly installed: Installed | undefined;
  /** The namespace of each part. */
  readonly namespaces: PartNamespaces;
  /** The namespaces with injection enabled. */
  readonly injected: readonly string[];
  /** Whether the output contains a LinkerdConfig: the operator then restarts the workloads that have its label. */
  readonly hasConfig: boolean;
}

const CHART = /^([^/]+)\/(?:Chart|values)\.yaml$/;
const MESH_VALUES = /\/configmap\.linkerd-config\.yaml$/;
const NAMESPACE = /\/namespace\.[^/]+\.yaml$/;
const CONFIG = /\/linkerdconfig\.[^/]+\.yaml$/;

/** Files that name the release of a part. In outputs of older library versions, the index lacks these releases. */
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

/** Reads selected values of the control plane. It is faster than `clusterContents`. */
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

/** Reads the facts of a cluster's output. */
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

/** Returns the installed parts and releases from the index, or from the charts if the index is damaged. */
export function installedIn(
  cluster: ClusterFiles,
  charts: readonly InflatedChart[],
  reader: FileReader,
): Installed | undefined {
  const { installed, damage } = cluster.index;
  const known = installed ?? (damage === undefined ? undefined : installedByFiles(charts));
  return known?.isPartial ? completed(known, (path) => objectsAt(path, cluster, reader)) : known;
}

/** Returns the objects in the files whose paths match an expression. */
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

/** Adds the releases that an older index lacks. The CNI plugin's objects name none: it gets the release of the CRDs. */
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
