import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringifyYaml } from '#base/yaml-writer';
import { manifestStream, renderChart } from '#lib/cli/render-chart';
import { escapeTemplate } from '#lib/gitops/charts/template-escape';
import { nativeChartOf } from '#linkerd/renderers/native-charts';
import { goTool } from '../../support/go-tools';

const HELM = goTool('helm');

const ROOT = join(__dirname, '..', '..', '..');
const CHART = 'linkerd2-cni';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function conformance(...args: readonly string[]) {
  const program = join(ROOT, 'tools', 'conformance', 'run.ts');
  const { status, stdout, stderr } = spawnSync(join(ROOT, 'node_modules', '.bin', 'tsx'), [program, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** A chart that always prints this renderer's output for the default values, after `change`. */
function fakeChart(change: (manifests: string) => string = (manifests) => manifests, name = CHART): string {
  const chart = join(folder, 'chart');
  mkdirSync(join(chart, 'templates'), { recursive: true });
  const { defaults } = nativeChartOf(CHART);
  const result = renderChart({ chart: CHART, values: {} });
  const manifests = 'objects' in result ? manifestStream(result.objects) : '';
  const refusal = '{{ if .Values.enablePSP }}{{ fail "no policies" }}{{ end }}\n';
  writeFileSync(
    join(chart, 'Chart.yaml'),
    stringifyYaml({ apiVersion: 'v2', name, version: '9.9.9', appVersion: 'edge-99.9.9' }),
  );
  writeFileSync(join(chart, 'values.yaml'), stringifyYaml({ ...defaults, logLevel: 'debug' }));
  writeFileSync(join(chart, 'templates', 'all.yaml'), refusal + change(escapeTemplate(manifests)));
  return chart;
}

function variants(...values: readonly object[]): string {
  const file = join(folder, 'variants.jsonl');
  const lines = [
    { baseValues: { logLevel: 'info' }, objects: {} },
    ...values.map((one, index) => ({ name: `v${index}`, values: one })),
  ];
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  return file;
}

function compare(chart: string, file: string, ...more: readonly string[]) {
  return conformance('--chart', chart, '--variants', file, '--helm', HELM, '--release', 'edge-26.8.3', ...more);
}

test('tools/conformance/run.ts exits with 0 if the chart renders and refuses the same', () => {
  const { status, stdout } = compare(fakeChart(), variants({ enablePSP: true }));
  expect(stdout).toMatch(/^linkerd2-cni of edge-99\.9\.9 against the native renderer of edge-26\.8\.3\n/);
  expect(stdout).toContain('2 of 2 variants are equal');
  expect(status).toBe(0);
});

test('tools/conformance/run.ts lists differences by place, and exits with 1', () => {
  const chart = fakeChart((manifests) => manifests.replace('cni-plugin:v', 'cni-plugin:w'));
  const { status, stdout } = compare(chart, variants({ podLabels: { a: 'b' } }));
  expect(stdout).toMatch(
    /2 x apps\/v1\/DaemonSet\/linkerd-cni\/linkerd-cni\/spec\/template\/spec\/containers\/0\/image: .*\n {4}in base, v0/,
  );
  expect(stdout).toMatch(/1 x .*\/labels\/a: recorded nothing, rendered "b"\n {4}in v0/);
  expect(stdout).toContain('0 of 2 variants are equal; the others differ at 2 places.');
  expect(status).toBe(1);
});

test('tools/conformance/run.ts compares recorded renders without Helm', () => {
  const recorded = join(folder, CHART, 'edge-26.8.3');
  mkdirSync(recorded, { recursive: true });
  const result = renderChart({ chart: CHART, values: {} });
  writeFileSync(join(recorded, 'base-values.json'), '{}');
  writeFileSync(join(recorded, 'base.yaml'), 'objects' in result ? manifestStream(result.objects) : '');
  writeFileSync(join(recorded, 'variants.jsonl'), '{"name":"refused","values":{"proxyUID":3},"error":"no"}\n');
  const { status, stdout } = conformance('--recorded', recorded);
  expect(stdout).toMatch(/\n1 x these values\n {4}in refused\n1 of 2 variants are equal/);
  expect(status).toBe(1);
});
