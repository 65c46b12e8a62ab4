import { CONTROL_PLANE } from '../../lib/charts/linkerd-control-plane/native';
import { VIZ } from '../../lib/charts/linkerd-viz/native';
import { CNI } from '../../lib/charts/linkerd2-cni/native';
import { CHART_NAMES } from '../../lib/cli/chart-names';
import { chartNamed, nativeChartOf } from '../../lib/cli/native-charts';
import { mergeValues } from '../../lib/releases/values';
import { featuresOf, LINKERD_VERSIONS } from '../../lib/releases/versions';
import { BASES } from './bases';

const NAMESPACE = 'somewhere';
const NATIVE = { 'linkerd-control-plane': CONTROL_PLANE, 'linkerd-viz': VIZ, 'linkerd2-cni': CNI };

describe.each(CHART_NAMES)('%s', (name) => {
  const { native, defaults, provides } = nativeChartOf(name);

  test.each(Object.entries(BASES[name]))('provides the Services and accounts that it renders: %s', (_, base) => {
    const values = mergeValues(defaults, base);
    const text = ({ kind, name: called }: { readonly kind: string; readonly name: string }) => `${kind} ${called}`;
    const rendered = native
      .render(values, { namespace: NAMESPACE })
      .map(({ kind, metadata }) => text({ kind, name: metadata.name ?? '' }));
    const provided = provides(values, NAMESPACE).map(text);
    expect(rendered).toEqual(expect.arrayContaining(provided));
    // The job that labels the namespace is gone, with its account, when it is done.
    const others = rendered.filter((one) => /^Service(Account)? (?!namespace-metadata$)/.test(one));
    expect(provided).toEqual(expect.arrayContaining(others));
  });

  test.each(LINKERD_VERSIONS)('is rendered here of releases whose templates are known: %s', (version) => {
    expect(chartNamed(name, version).native).toBe(featuresOf(version).rendered ? NATIVE[name] : undefined);
  });

  test('needs the Secrets that its values name', () => {
    const values = { ...defaults, imagePullSecrets: [{ name: 'pull' }, 'odd', {}] };
    expect(nativeChartOf(name).requires(values, NAMESPACE)).toEqual([
      { kind: 'Secret', namespace: NAMESPACE, name: 'pull' },
    ]);
    expect(nativeChartOf(name).requires({ ...defaults, imagePullSecrets: 'odd' }, NAMESPACE)).toEqual([]);
  });
});
