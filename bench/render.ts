/**
 * Measures how long the native renderer and `helm template` take to render a control plane. They run one after the
 * other, so that other load on the machine affects both.
 *
 *   npx tsx bench/render.ts [--chart DIR] [--helm PATH]
 *
 * Without `--chart`, Helm renders a chart whose templates are our own output, without logic or values. Its time is a
 * lower bound, hardly more than the start of Helm. Native renders run in one process and check the values; the start of
 * a process is measured separately.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mergeValues } from '#base/values';
import { stringifyYaml } from '#base/yaml-writer';
import { manifestStream, renderChart } from '#lib/cli/render-chart';
import { renderLine } from '#lib/cli/render-line';
import { escapeTemplate } from '#lib/gitops/charts/template-escape';
import { nativeChartOf } from '#linkerd/renderers/native-charts';
import { goTool } from '#test/support/go-tools';
import { readVariants, type Variant } from '#tools/conformance/variants';

const CHART = 'linkerd-control-plane';
const RENDERS = 1_000;
const HELM_RUNS = 50;
/** Number of renders whose mean counts as the time of a single render. */
const ONE_OF = 10;

const renderer = nativeChartOf(CHART);
const variants = readVariants(
  join(__dirname, '..', 'test', 'conformance', `${CHART}-${renderer.pinned.valuesOf}.jsonl`),
);
/** The variants that the chart accepts. */
const rendered = variants.filter(({ values }) => 'objects' in renderChart({ chart: CHART, values }));

function variant(index: number): Variant {
  const chosen = rendered[index % rendered.length];
  if (chosen === undefined) throw new Error('there are no variants');
  return chosen;
}

function renderNatively({ values }: Variant): string {
  const result = renderChart({ chart: CHART, values });
  if ('problems' in result) throw new Error('the chart refused the values');
  return manifestStream(result.objects);
}

/** Renders one line as `--jsonl` does. */
function renderAsJson(request: Variant): string {
  return renderLine(JSON.stringify(request), { chart: CHART, values: {} }, 1).text;
}

function writeEquivalentChart(folder: string): string {
  const chart = join(folder, CHART);
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), stringifyYaml({ apiVersion: 'v2', name: CHART, version: '0.0.0' }));
  writeFileSync(join(chart, 'values.yaml'), stringifyYaml(mergeValues(renderer.defaults, variant(0).values)));
  writeFileSync(join(chart, 'templates', 'objects.yaml'), escapeTemplate(renderNatively(variant(0))));
  return chart;
}

function helmRenderer(helm: string, chart: string): (variant: Variant) => string {
  return ({ values }) =>
    execFileSync(helm, ['template', 'linkerd', chart, '-n', renderer.namespace, '-f', '-'], {
      input: JSON.stringify(values),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
}

/** Milliseconds that a number of renders take. */
function time(times: number, render: (variant: Variant) => string): number {
  const start = performance.now();
  for (let index = 0; index < times; index += 1) {
    if (render(variant(index)) === '') throw new Error('nothing was rendered');
  }
  return performance.now() - start;
}

/** Milliseconds that a program takes to start and print its version. */
function startMs(program: string, ...args: readonly string[]): number {
  const start = performance.now();
  execFileSync(program, args, { stdio: 'ignore' });
  return performance.now() - start;
}

function main(): void {
  const { values } = parseArgs({ options: { chart: { type: 'string' }, helm: { type: 'string' } } });
  const helm = values.helm ?? goTool('helm');
  const folder = mkdtempSync(join(tmpdir(), 'bench-render-'));
  try {
    const viaHelm = helmRenderer(helm, values.chart ?? writeEquivalentChart(folder));
    const [helmOne, nativeOne] = [time(ONE_OF, viaHelm) / ONE_OF, time(ONE_OF, renderNatively) / ONE_OF];
    const helmMany = (time(HELM_RUNS, viaHelm) * RENDERS) / HELM_RUNS;
    const [yamlMany, jsonMany] = [time(RENDERS, renderNatively), time(RENDERS, renderAsJson)];
    const row = (what: string, helm: number, native: number) => ({
      what,
      'helm ms': Math.round(helm),
      'native ms': native.toFixed(1),
      ratio: (helm / native).toFixed(0),
    });
    console.log(`Helm renders ${values.chart ?? 'a chart of our own output: a lower bound'}`);
    console.table([
      row('1 as YAML', helmOne, nativeOne),
      row(`${RENDERS} as YAML`, helmMany, yamlMany),
      row(`${RENDERS} as JSON lines`, helmMany, jsonMany),
    ]);
    const command = [...process.execArgv, join(__dirname, '..', 'bin', 'cdk8s-linkerd.ts'), '--version'];
    console.log(
      `Helm takes ${Math.round(startMs(helm, 'version'))} ms to start, each time; our command, from TypeScript, ` +
        `${Math.round(startMs(process.execPath, ...command))} ms once.`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main();
