import { mergeValues } from '#base/values';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { CHART_NAMES } from '#linkerd/renderers/chart-names';
import { chartNamed, nativeChartOf } from '#linkerd/renderers/native-charts';
import { BASES } from '#test/cli/bases';

const NAMESPACE = 'somewhere';

describe.each(CHART_NAMES)('the chart %s', (name) => {
  const { native, defaults, provides } = nativeChartOf(name);

  test.each(Object.entries(BASES[name]))('provides the Services and ServiceAccounts that it renders: %s', (_, base) => {
    const values = mergeValues(defaults, base);
    const text = ({ kind, name: called }: { readonly kind: string; readonly name: string }) => `${kind} ${called}`;
    const rendered = native
      .render(values, { namespace: NAMESPACE })
      .map(({ kind, metadata }) => text({ kind, name: metadata.name ?? '' }));
    const provided = provides(values, NAMESPACE).map(text);
    expect(rendered).toEqual(expect.arrayContaining(provided));
    // The job that labels the namespace is a hook, which is deleted with its account after it has run.
    const others = rendered.filter((one) => /^Service(Account)? (?!namespace-metadata$)/.test(one));
    expect(provided).toEqual(expect.arrayContaining(others));
  });

  test.each(LINKERD_VERSIONS)('has a renderer for the release %s', (version) => {
    const { native } = chartNamed(name, releaseOf(version));
    expect(native).toBeDefined();
  });

  test('requires the Secrets that its values name', () => {
    const values = { ...defaults, imagePullSecrets: [{ name: 'pull' }, 'odd', {}] };
    expect(nativeChartOf(name).requires(values, NAMESPACE)).toEqual([
      { kind: 'Secret', namespace: NAMESPACE, name: 'pull' },
    ]);
    expect(nativeChartOf(name).requires({ ...defaults, imagePullSecrets: 'odd' }, NAMESPACE)).toEqual([]);
  });
});

test('nativeChartOf refuses a chart that the release does not have', () => {
  const versions = LINKERD_VERSIONS.filter((version) => chartNamed('linkerd-jaeger', releaseOf(version)) !== undefined);
  expect(versions).toEqual(['stable-2.14.10']);
  expect(() => nativeChartOf('linkerd-jaeger')).toThrow('edge-26.8.3 has no chart linkerd-jaeger');
});

test('all edge releases have the chart linkerd-multicluster', () => {
  const without = LINKERD_VERSIONS.filter((version) => !chartNamed('linkerd-multicluster', releaseOf(version)));
  expect(without).toEqual(['stable-2.14.10']);
});
