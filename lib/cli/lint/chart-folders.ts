import { grouped } from '#base/grouped';
import type { Values } from '#base/values';
import { parseValues } from '#base/values-document';
import type { Chart } from '#helm/chart/chart';
import { ChartError } from '#helm/chart/chart-error';
import { DEFAULT_KUBE_VERSION } from '#helm/kube-version';
import { renderTexts } from '#helm/render';
import { dependenciesOf, type FoundChart } from './charts-in-files';
import type { ChartAt, ReadFiles } from './found';
import { KEY_FILE, keysInText } from './keys-in-text';
import { readFile } from './read-file';
import { overridesIn } from './values-files';

/** Renders the chart in a folder with its default values. One that cannot be rendered may have values of others. */
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
    return { ...rendered(folder, chart), values: overridden };
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    const { reason } = error.problem;
    const charts = umbrellaOf(chart, inFolder(folder, 'values.yaml'), values);
    return { charts, values: overridden, skipped: [{ source: { file }, why: 'chart', reason }] };
  }
}

function rendered(folder: string, chart: Chart): Partial<ReadFiles> {
  const { name } = chart.metadata;
  const options = { name, namespace: 'default', kubeVersion: DEFAULT_KUBE_VERSION };
  const { manifests, hooks, crds } = renderTexts(chart, options);
  const printed = [...crds, ...manifests, ...hooks.filter(({ events }) => !events.includes('test'))];
  const bySource = grouped(printed.map(({ source, text }) => [source, text]));
  const read = [...bySource].map(([source, texts]) => {
    const file = inFolder(folder, source.replace(/^[^/]*\//, ''));
    const { objects, skipped, problems } = readFile(file, texts.join('\n---\n'));
    // The lines are those of the output.
    const placed = <T extends object>(one: T): T => ({ ...one, source: { file } });
    return { objects: objects.map(placed), skipped: skipped.map(placed), problems: problems.map(placed) };
  });
  return {
    objects: read.flatMap(({ objects }) => objects),
    skipped: read.flatMap(({ skipped }) => skipped),
    problems: read.flatMap(({ problems }) => problems),
  };
}

function umbrellaOf({ metadata: { dependencies = [] } }: Chart, file: string, text: string): readonly FoundChart[] {
  const lines = text.split('\n');
  return dependenciesOf(dependencies, valuesIn(text), (key) => {
    const line = lines.findIndex((one) => one.startsWith(`${key}:`));
    return line < 0 ? { file } : { file, line: line + 1 };
  });
}

function valuesIn(text: string): Values {
  try {
    return parseValues(text);
  } catch {
    return {};
  }
}

function inFolder(folder: string, path: string): string {
  return folder === '.' ? path : `${folder}/${path}`;
}
