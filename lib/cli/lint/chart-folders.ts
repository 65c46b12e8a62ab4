import { posix } from 'node:path';
import { grouped } from '#base/grouped';
import type { Values } from '#base/values';
import type { Chart } from '#helm/chart/chart';
import { ChartError } from '#helm/chart/chart-error';
import { DEFAULT_KUBE_VERSION } from '#helm/kube-version';
import { renderTexts } from '#helm/render';
import type { PlacedMap } from '../repository/documents';
import { KEY_FILE, keysInText } from '../repository/keys-in-text';
import { movedTo, type ReadFile, readFile } from '../repository/read-file';
import { type RepositoryFiles, valuesIn } from '../repository/repository-files';
import { inflationValues } from '../repository/sources/objects';
import { listAt, text } from '../repository/sources/source';
import { dependenciesOf, type FoundChart } from './charts-in-files';
import type { ChartAt, ReadFiles } from './found';
import { overridesIn } from './values-files';

/** Renders the chart in a folder with its default values. If that fails, reads its values for its dependencies. */
export function readChartFolder(at: ChartAt): Partial<ReadFiles> {
  const read = readChart(at);
  return { ...read, problems: [...(read.problems ?? []), ...keysOf(at)] };
}

function keysOf({ folder, chart, values }: ChartAt): ReadFiles['problems'] {
  const others = typeof chart === 'string' ? [] : chart.files.filter(({ name }) => KEY_FILE.test(name));
  return [
    ...keysInText({ file: inFolder(folder, 'values.yaml') }, values),
    ...others.flatMap(({ name, data }) =>
      keysInText({ file: inFolder(folder, name) }, Buffer.from(data).toString('utf8')),
    ),
  ];
}

function readChart({ folder, chart, values, overrides = new Map() }: ChartAt): Partial<ReadFiles> {
  const file = inFolder(folder, 'Chart.yaml');
  if (typeof chart === 'string') return { skipped: [{ source: { file }, why: 'chart', reason: chart }] };
  const { dependencies = [] } = chart.metadata;
  const overridden = [...overrides].flatMap(([path, text]) => overridesIn(path, text, dependencies));
  try {
    const { name } = chart.metadata;
    return { ...rendered(folder, chart, { name, namespace: 'default' }), values: overridden };
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    const { reason } = error.problem;
    const charts = umbrellaOf(chart, inFolder(folder, 'values.yaml'), values);
    return { charts, values: overridden, skipped: [{ source: { file }, why: 'chart', reason }] };
  }
}

interface Release {
  readonly name: string;
  readonly namespace: string;
  readonly values?: Values;
  readonly apiVersions?: readonly string[];
  /** @default true */
  readonly hasCrds?: boolean;
}

function rendered(folder: string, chart: Chart, { hasCrds = true, ...release }: Release): ReadFile {
  const { manifests, hooks, crds } = renderTexts(chart, { ...release, kubeVersion: DEFAULT_KUBE_VERSION });
  const printed = [...(hasCrds ? crds : []), ...manifests, ...hooks.filter(({ events }) => !events.includes('test'))];
  const bySource = grouped(printed.map(({ source, text }) => [source, text]));
  const read = [...bySource].map(([source, texts]) => {
    const file = inFolder(folder, source.replace(/^[^/]*\//, ''));
    // Line numbers are left out, because they are those of the rendered text.
    return movedTo(readFile(file, texts.join('\n---\n')), () => ({ file }));
  });
  return {
    objects: read.flatMap(({ objects }) => objects),
    skipped: read.flatMap(({ skipped }) => skipped),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** Renders a chart in the folder for charts of a kustomization; undefined if it is missing, or cannot be rendered. */
export function inflatedChart(
  chart: Values,
  kustomization: PlacedMap,
  { charts, repository }: { readonly charts: readonly ChartAt[]; readonly repository: RepositoryFiles },
): (ReadFile & { readonly at: ChartAt }) | undefined {
  const [name = '', version] = [text(chart.name), text(chart.version)];
  const home = posix.join(posix.dirname(kustomization.file), text(chart.chartHome) ?? 'charts');
  const folders = [posix.join(home, `${name}-${version}`, name), posix.join(home, name)];
  const at = folders.flatMap((folder) => charts.find((one) => posix.normalize(one.folder) === folder) ?? [])[0];
  if (at === undefined || typeof at.chart === 'string') return undefined;
  const { values, problems } = inflationValues(chart, { file: kustomization.file, path: '', repository });
  if (problems.length > 0) return undefined;
  try {
    const release = {
      name: text(chart.releaseName) ?? name,
      namespace: text(chart.namespace) ?? 'default',
      values,
      apiVersions: listAt(chart, 'apiVersions').map(String),
      hasCrds: chart.includeCRDs === true,
    };
    return { at, ...rendered(at.folder, at.chart, release) };
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    return undefined;
  }
}

function umbrellaOf({ metadata: { dependencies = [] } }: Chart, file: string, text: string): readonly FoundChart[] {
  const lines = text.split('\n');
  return dependenciesOf(dependencies, valuesIn(text) ?? {}, (key) => {
    const line = lines.findIndex((one) => one.startsWith(`${key}:`));
    return line < 0 ? { file } : { file, line: line + 1 };
  });
}

function inFolder(folder: string, path: string): string {
  return folder === '.' ? path : `${folder}/${path}`;
}
