import { join } from 'node:path';
import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { manifestStream, renderChart } from '#lib/cli/render-chart';
import { CHART_NAMES, type ChartName } from '#linkerd/renderers/chart-names';
import { nativeChartOf } from '#linkerd/renderers/native-charts';
import { readVariants } from '#tools/conformance/variants';
import { askOracle } from '../support/oracle';

const FOLDER = join(__dirname, '..', 'conformance');
const variantsOf = (chart: ChartName) =>
  readVariants(join(FOLDER, `${chart}-${nativeChartOf(chart).pinned.valuesOf}.jsonl`));

function objects(chart: ChartName, values: Values, namespace?: string): readonly KubernetesObject[] {
  const result = renderChart({ chart, values, namespace });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems, null, 2));
  return result.objects;
}

function refusals(values: Values, namespace?: string): readonly string[] {
  const result = renderChart({ chart: 'linkerd-control-plane', values, namespace });
  return 'problems' in result ? result.problems.map(({ what }) => what) : [];
}

const [base] = variantsOf('linkerd-control-plane');
const BASE = base?.values ?? {};

describe.each(CHART_NAMES)('renderChart, for %s,', (chart) => {
  const renders = variantsOf(chart).flatMap(({ name, values }) => {
    const result = renderChart({ chart, values });
    return 'objects' in result ? [{ name, objects: result.objects }] : [];
  });

  test('renders JSON without nulls for all variants of values', () => {
    expect(renders.length).toBeGreaterThan(40);
    for (const { name, objects } of renders) {
      const text = JSON.stringify(objects, (key, value) => (value === null ? `null at ${key} of ${name}` : value));
      expect(text).not.toContain('"null at ');
      expect(JSON.parse(text)).toEqual(objects);
    }
  });

  test('renders YAML that Kubernetes reads as the same objects', () => {
    const all = renders.flatMap(({ objects }) => objects);
    const documents = new Map(all.map((object) => [manifestStream([object]), object]));
    const answers = askOracle('yaml', [...documents.keys()]);
    expect(answers.map(({ value, error }) => error ?? value)).toEqual([...documents.values()]);
  });

  test('renders objects into the namespace of the release, or into other known namespaces', () => {
    const { values } = variantsOf(chart)[0] ?? { values: {} };
    const namespaces = new Set(objects(chart, values, 'elsewhere').map(({ metadata }) => metadata.namespace));
    namespaces.delete(undefined);
    for (const foreign of ['kube-system', chart === 'linkerd-viz' ? 'linkerd' : '']) namespaces.delete(foreign);
    expect([...namespaces]).toEqual(['elsewhere']);
  });
});

function specsOf(kind: string, values: Values, clusterName?: string): readonly Values[] {
  const result = renderChart({ chart: 'linkerd-control-plane', values, clusterName });
  const all = 'objects' in result ? result.objects : [];
  return all.filter((object) => object.kind === kind).map(({ spec }) => spec as Values);
}

test('renderChart merges values over the chart’s defaults', () => {
  const replicas = specsOf('Deployment', { ...BASE, controllerReplicas: 5 }).map((spec) => spec.replicas);
  expect(replicas).toEqual([5, 5, 5]);
});

test('renderChart derives the heartbeat’s schedule from the name of the cluster', () => {
  const { heartbeatSchedule: _, ...values } = BASE;
  const schedules = ['home', 'home', 'away'].map((name) => specsOf('CronJob', values, name)[0]?.schedule);
  expect(schedules[0]).toMatch(/^\d+ \d+ \* \* \*$/);
  expect(schedules[1]).toBe(schedules[0]);
  expect(schedules[2]).not.toBe(schedules[0]);
});

describe('renderChart reports all problems at once:', () => {
  test('for unknown keys, wrong types, invalid namespaces and refusals of the chart', () => {
    const values = { ...BASE, controlerReplicas: 3, controllerLogLevel: 1, proxy: { logHTTPHeaders: 'all' } };
    const problems = refusals(values, 'Linkerd');
    expect(problems).toHaveLength(4);
    expect(problems.join('\n')).toMatch(
      /namespace is "Linkerd"[\s\S]*controlerReplicas[\s\S]*controllerLogLevel[\s\S]*logHTTPHeaders/,
    );
  });

  test('for private keys', () => {
    const values = { ...BASE, podAnnotations: { key: '-----BEGIN EC PRIVATE KEY-----\n' } };
    expect(refusals(values)).toEqual(['values.podAnnotations.key holds a private key']);
  });
});

describe('renderChart, for a chart that only some releases have,', () => {
  const values = { webhook: { externalSecret: true, injectCaFrom: 'linkerd-jaeger/jaeger-injector' } };

  test('renders it for such a release', () => {
    const result = renderChart({ chart: 'linkerd-jaeger', release: 'stable-2.14.10', values });
    const kinds = 'objects' in result ? result.objects.map(({ kind }) => kind) : [];
    expect(kinds.filter((kind) => kind === 'Deployment')).toHaveLength(3);
  });

  test('refuses it for another release', () => {
    const result = renderChart({ chart: 'linkerd-jaeger', values });
    expect(result).toMatchObject({
      problems: [{ code: 'chart-not-in-release', parameters: { release: 'edge-26.8.3', chart: 'linkerd-jaeger' } }],
    });
  });
});
