import { valueAt } from '#base/values';
import { schemaAddress } from '#kubernetes/schemas/schema-store';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import {
  ALIASES,
  DEFAULT_LINKERD_VERSION,
  LINKERD_VERSIONS,
  type LinkerdVersion,
  RELEASES,
} from '#linkerd/releases/known-releases';
import { Release, releaseOf } from '#linkerd/releases/release';
import { UnknownVersionError } from '#linkerd/releases/unknown-version-error';
import { linkerdCharts } from '#test/support/linkerd-charts';

const releases = RELEASES.map(([version]) => releaseOf(version));
const charts = releases.flatMap((release) =>
  Object.values(release.charts).map((chart: PinnedChart) => [`${chart.name} ${chart.version}`, chart] as const),
);

test('releaseOf returns the same object for the same release', () => {
  expect(releaseOf('edge-26.8.3')).toBe(releaseOf('edge-26.8.3'));
  expect(releaseOf('edge-26.8.3')).not.toBe(releaseOf('stable-2.14.10'));
});

test.each(charts)('%s is pinned to one exact version', (_, chart) => expect(chart.version).toMatch(/^\d+\.\d+\.\d+$/));

test.each(charts)('the library has a schema for the values of %s', (_, chart) => {
  expect(schemaAddress(`charts/${chart.name}/${chart.valuesOf}`)).toBeDefined();
});

test.each(charts)('%s lists each kind once, with its group', (_, chart) => {
  expect(chart.kinds).toEqual([...new Set(chart.kinds)]);
  for (const kind of chart.kinds) expect(kind).toMatch(/^[a-z0-9.]*\/[A-Z][A-Za-z]+$/);
});

test('only linkerd-multicluster renders Secrets', () => {
  const makers = charts.filter(([, { kinds }]) => kinds.includes('/Secret')).map(([, { name }]) => name);
  expect([...new Set(makers)]).toEqual(['linkerd-multicluster']);
});

test('only linkerd-viz writes to another namespace', () => {
  for (const [, chart] of charts)
    expect(chart.foreignNamespaces).toEqual(chart.name === 'linkerd-viz' ? ['kube-system'] : []);
});

test('a release has the Jaeger chart if, and only if, its proxies have no value for tracing', () => {
  for (const release of releases) {
    const traces = valueAt(defaultsOf(release).controlPlane, 'proxy.tracing') !== undefined;
    expect(release.charts.jaeger === undefined).toBe(traces);
  }
});

test('a release has an annotation for native sidecars if, and only if, its chart has the value', () => {
  for (const release of releases) {
    const value = valueAt(defaultsOf(release).controlPlane, 'proxy.nativeSidecar');
    expect(release.groups.injector.nativeSidecarAnnotation !== undefined).toBe(value !== undefined);
  }
});

test('a release accepts an annotation for the init image if, and only if, its chart has the value', () => {
  for (const release of releases) {
    const image = valueAt(defaultsOf(release).controlPlane, 'proxyInit.image');
    expect(release.groups.injector.workloadSettings.includes('proxy.initImage')).toBe(image !== undefined);
  }
});

test('the default release is the newest', () => {
  const newest = [...RELEASES].sort(([, one], [, other]) => (one < other ? 1 : -1))[0];
  expect(DEFAULT_LINKERD_VERSION).toBe(newest?.[0]);
  expect(LINKERD_VERSIONS[0]).toBe(DEFAULT_LINKERD_VERSION);
});

test('LINKERD_VERSIONS lists each release once, the newest first', () => {
  const days = RELEASES.map(([, day]) => day);
  expect(days).toEqual([...days].sort().reverse());
  expect(new Set(LINKERD_VERSIONS).size).toBe(RELEASES.length + Object.keys(ALIASES).length);
});

test.each(releases.map((release) => [release.version, release] as const))(
  'the default values of %s name that release',
  (version, release) => expect(defaultsOf(release).controlPlane.linkerdVersion).toBe(version),
);

test('a minor version is an alias of its edge release', () => {
  expect(releaseOf('2.20').version).toBe('edge-26.6.3');
  expect(releaseOf('2.19').version).toBe('edge-25.10.7');
  for (const [line, version] of Object.entries(ALIASES)) {
    expect(releaseOf(line as LinkerdVersion).charts).toEqual(releaseOf(version).charts);
    expect(releaseOf(version).line).toBe(line);
  }
});

test('each group of releases has the name of one of its members', () => {
  for (const [, , , ...groups] of RELEASES)
    groups.forEach((group, column) => {
      if (group === null) return;
      expect(RELEASES.find(([version]) => version === group)?.[column + 3]).toBe(group);
    });
});

function refusalOf(given: unknown): Partial<UnknownVersionError['problem']> | undefined {
  try {
    releaseOf(given as LinkerdVersion);
  } catch (error) {
    return error instanceof UnknownVersionError ? error.problem : undefined;
  }
  return undefined;
}

test.each<[given: unknown, version: string, similar: string]>([
  ['edge-26.8.4', '"edge-26.8.4"', 'edge-26.8.3'],
  ['2026.8.3', '"2026.8.3"', 'edge-26.8.3'],
  ['stable-2.14.1', '"stable-2.14.1"', 'stable-2.14.10'],
  ['__proto__', '"__proto__"', DEFAULT_LINKERD_VERSION],
  [null, 'null', DEFAULT_LINKERD_VERSION],
])('releaseOf refuses the unknown release %s and proposes the nearest', (given, version, similar) => {
  expect(refusalOf(given)).toMatchObject({ code: 'version-unknown', parameters: { version, similar } });
});

test.each([
  ['a BigInt', 10n, '10n'],
  ['an object that contains itself', { charts: globalThis }, 'a value without a text form'],
  ['a long object', { text: 'x'.repeat(1000) }, `{"text":"${'x'.repeat(48)}...`],
])('releaseOf refuses %s, and shortens it in the message', (_, given, what) => {
  expect(() => releaseOf(given as unknown as LinkerdVersion)).toThrow(what);
});

test('releaseOf refuses a copy of a release', () => {
  const release = Release.fromCharts(linkerdCharts(), 'edge-26.9.1');
  const copies: readonly unknown[] = [{ ...release }, JSON.parse(JSON.stringify(release))];
  for (const copy of copies) {
    expect(refusalOf(copy)).toMatchObject({
      code: 'version-unknown',
      cause: 'copy',
      parameters: { version: 'edge-26.9.1' },
    });
  }
});
