import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { Chart } from '#helm/chart/chart';
import { findChart, LOCK_FILE, parseLock } from '#helm/chart/charts-lock';
import { openChart } from '#helm/chart/open-chart';
import { readChartAt } from '#helm/chart/read-chart-at';
import { renderChart } from '#helm/render';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { ARGOCD_FOLDER } from '#lib/gitops/synth/output/file-names';
import { isClusterScoped } from '#linkerd/api-groups';

/** A chart at a version. */
export interface ChartName {
  readonly name: string;
  readonly version: string;
}

/** The sources of an output's objects. */
export interface Rendering {
  /** Folder of the output of a cluster. */
  readonly folder: string;
  /** Folder with charts: archives with a lock, or folders by the names of the charts. */
  readonly charts: string;
  readonly kubeVersion: string;
}

/** The objects of each folder of a cluster, as Argo CD deploys them: charts are rendered, and hooks are left out. */
export function foldersOf(rendering: Rendering): ReadonlyMap<string, readonly KubernetesObject[]> {
  const names = readdirSync(rendering.folder)
    .filter((name) => name !== ARGOCD_FOLDER && statSync(join(rendering.folder, name)).isDirectory())
    .sort();
  return new Map(names.map((name) => [name, objectsIn(name, rendering)]));
}

/** Returns the charts that an output needs and a folder of charts lacks. */
export function missingCharts({ folder, charts }: Omit<Rendering, 'kubeVersion'>): readonly ChartName[] {
  const needed = readdirSync(folder)
    .map((name) => join(folder, name, 'Chart.yaml'))
    .filter((file) => existsSync(file))
    .flatMap((file) => dependenciesIn(file));
  return needed.filter((chart) => pathOf(chart, charts) === undefined);
}

function objectsIn(name: string, { folder, charts, kubeVersion }: Rendering): readonly KubernetesObject[] {
  const path = join(folder, name);
  if (!existsSync(join(path, 'Chart.yaml'))) return manifestsIn(path).flatMap(documentsIn);
  const values = parse(readFileSync(join(path, 'values.yaml'), 'utf8')) ?? {};
  const rendered = dependenciesIn(join(path, 'Chart.yaml')).flatMap((chart) => {
    const options = { name, namespace: name, kubeVersion, values: values[chart.name] ?? {} };
    const { objects, crds } = renderChart(readChart(chart, charts), options);
    return [...crds, ...objects].map(({ object }) => placed(object as unknown as KubernetesObject, name));
  });
  const templates = join(path, 'templates');
  const own = existsSync(templates) ? manifestsIn(templates).map((text) => parse(unescaped(text))) : [];
  return [...rendered, ...own];
}

/** Returns an object of a chart in its own namespace, or else in that of the release. */
function placed(object: KubernetesObject, namespace: string): KubernetesObject {
  if (object.metadata.namespace !== undefined || isClusterScoped(object)) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}

function dependenciesIn(file: string): readonly ChartName[] {
  return parse(readFileSync(file, 'utf8')).dependencies ?? [];
}

/** A template of an umbrella chart escapes each `{{` of an object. */
function unescaped(template: string): string {
  return template.replaceAll('{{`{{`}}', '{{');
}

function documentsIn(text: string): readonly KubernetesObject[] {
  return parseAllDocuments(text).map((document) => document.toJS());
}

function manifestsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml') && !['Chart.yaml', 'values.yaml'].includes(basename(file)))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** Returns the source of a chart: an archive that the lock names, or a folder of its name. */
function pathOf({ name, version }: ChartName, charts: string): { lock: string } | { folder: string } | undefined {
  const lock = join(charts, LOCK_FILE);
  if (existsSync(lock) && findChart(parseLock(readFileSync(lock, 'utf8')), { name, version }) !== undefined) {
    return { lock };
  }
  const folder = join(charts, name);
  return existsSync(join(folder, 'Chart.yaml')) ? { folder } : undefined;
}

function readChart(chart: ChartName, charts: string): Chart {
  const path = pathOf(chart, charts);
  if (path === undefined) throw new Error(`${charts} has no chart ${chart.name} ${chart.version}`);
  if ('folder' in path) return readChartAt(path.folder);
  const opened = openChart(charts, chart.name, chart.version);
  if (opened === undefined) throw new Error(`${charts} has no chart ${chart.name} ${chart.version}`);
  return opened.chart;
}
