/**
 * Measures how long synth and `helm template` take to render charts. They run one after the other, so that other load
 * on the machine affects both.
 *
 *   npx tsx bench/charts.ts FOLDER|ARCHIVE...
 *
 * The first render of a process parses the templates: a platform of one cluster takes that time. Further renders have
 * other values, like the clusters of a fleet.
 */
import { execFileSync } from 'node:child_process';
import { readChartAt } from '#helm/chart/read-chart-at';
import { DEFAULT_KUBE_VERSION } from '#helm/kube-version';
import { renderChart } from '#helm/render';
import { goTool } from '#test/support/go-tools';

const FURTHER = 20;
const HELM_RUNS = 5;

const helm = goTool('helm');

function milliseconds(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function measure(path: string): object {
  const render = (index: number) =>
    renderChart(chart, {
      name: `release-${index}`,
      namespace: 'default',
      kubeVersion: DEFAULT_KUBE_VERSION,
      // Every chart accepts `global`.
      values: { global: { run: `r${index}` } },
    });
  let chart = readChartAt(path);
  const read = milliseconds(() => {
    chart = readChartAt(path);
  });
  const first = milliseconds(() => render(0));
  const further = milliseconds(() => {
    for (let index = 1; index <= FURTHER; index += 1) render(index);
  });
  const template = ['template', 'release', path, '--kube-version', DEFAULT_KUBE_VERSION, '--include-crds'];
  const byHelm = milliseconds(() => {
    for (let index = 0; index < HELM_RUNS; index += 1) execFileSync(helm, template, { stdio: 'ignore' });
  });
  const ofHelm = byHelm / HELM_RUNS;
  return {
    chart: chart.metadata.name,
    'read ms': read.toFixed(0),
    'first ms': first.toFixed(0),
    'further ms': (further / FURTHER).toFixed(1),
    'helm ms': ofHelm.toFixed(0),
    'helm / first': (ofHelm / (read + first)).toFixed(1),
    'helm / further': (ofHelm / (further / FURTHER)).toFixed(1),
  };
}

console.table(process.argv.slice(2).map(measure));
