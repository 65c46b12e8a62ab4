import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeValues, type Values } from '#base/values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import type { RenderedChartName } from '#linkerd/renderers/chart-names';
import { nativeChartOf } from '#linkerd/renderers/native-charts';
import { chartConformance } from '#test/support/chart-conformance';
import { sampled } from '#test/support/depth';
import { fingerprintOfAll, type MixedVariant } from '#tools/conformance/mixed';

const EDGE = 'edge-26.8.3';
const STABLE = 'stable-2.14.10';

/** Values on which the chart fails because of a bug of the chart. */
const FIXED = ['+metricsAPI.proxy.resources'];

const VIZ_REFUSED = ['prometheus.enabled', ...FIXED, 'scenario:external-without-url', 'scenario:grafana-both'];

describe.each<{
  readonly name: RenderedChartName;
  readonly version: LinkerdVersion;
  readonly count: number;
  /** Variants that the chart refuses. Undefined if the list would be long. */
  readonly refuses?: readonly string[];
  readonly fixes?: readonly string[];
}>([
  { name: 'linkerd-control-plane', version: EDGE, count: 240 },
  {
    name: 'linkerd-control-plane',
    version: STABLE,
    count: 188,
    refuses: ['scenario:inject-both', 'scenario:inject-and-bundle', 'scenario:external-without-ca'],
  },
  { name: 'linkerd-viz', version: EDGE, count: 162, refuses: VIZ_REFUSED, fixes: FIXED },
  { name: 'linkerd-viz', version: STABLE, count: 151, refuses: VIZ_REFUSED, fixes: FIXED },
  { name: 'linkerd2-cni', version: EDGE, count: 52, refuses: [] },
  { name: 'linkerd2-cni', version: STABLE, count: 46, refuses: [] },
  { name: 'linkerd-jaeger', version: STABLE, count: 72, refuses: [] },
  {
    name: 'linkerd-multicluster',
    version: EDGE,
    count: 118,
    refuses: [
      '+controllers without a name',
      'controllerDefaults null',
      'gateway.probe null',
      'localServiceMirror.image null',
    ],
  },
])('the renderer of $name of $version', ({ name, version, count, refuses, fixes = [] }) => {
  const { variants, refused, fixed, differences } = chartConformance(nativeChartOf(name, releaseOf(version)));

  test('has recorded variants of values, and refuses those that the chart refuses', () => {
    expect(variants).toHaveLength(count);
    expect(refused).toEqual(refuses ?? refused);
    expect(fixed).toEqual(fixes);
  });

  // The variants of the newest release also cover most of 2.14, so that a sample of 2.14 is enough.
  test.each(version === STABLE ? sampled(variants) : variants)('renders what the chart renders for $name', (variant) =>
    expect(differences(variant)).toEqual([]),
  );
});

// test/cli/mixed-conformance.test.ts covers the control plane, Viz and the CNI plugin of the newest release.
describe.each([
  ['linkerd-control-plane', STABLE, 96],
  ['linkerd-multicluster', EDGE, 160],
] as const)('the renderer of %s of %s, with many changed values at once,', (name, version, count) => {
  const file = join(__dirname, `../../../conformance/${name}-${version}-mixed.jsonl`);
  const [first = '{}', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const { baseValues } = JSON.parse(first) as { baseValues: Values };
  const { defaults, native, namespace } = nativeChartOf(name, releaseOf(version));
  const results = lines.map((line) => {
    const { name, values, objects: theirs } = JSON.parse(line) as MixedVariant;
    const all = mergeValues(mergeValues(defaults, baseValues), values);
    const isRefused = native.check(all).length > 0;
    return { name, theirs, ours: isRefused ? undefined : fingerprintOfAll(native.render(all, { namespace })) };
  });

  test('renders what the chart renders, and refuses what the chart refuses', () => {
    expect(results).toHaveLength(count);
    const different = results.filter(({ theirs, ours }) => theirs !== ours && (ours || !theirs));
    expect(different.map(({ name }) => name)).toEqual([]);
    expect(results.filter(({ theirs }) => theirs === undefined).length).toBeGreaterThan(5);
  });

  test('refuses few variants that the chart renders', () => {
    const refused = results.filter(({ theirs, ours }) => theirs !== undefined && ours === undefined);
    expect(refused.filter(({ name }) => version === STABLE || !name.startsWith('wild-'))).toEqual([]);
    expect(refused.length).toBeLessThan(25);
  });
});
