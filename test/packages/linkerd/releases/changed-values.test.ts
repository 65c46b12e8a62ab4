import { valueAt } from '#base/values';
import { CHANGED_DEFAULTS, GONE_VALUES } from '#linkerd/releases/changed-values';
import { chartDefaults } from '#linkerd/releases/chart-defaults';
import { compareReleases } from '#linkerd/releases/lines';
import { releaseOf } from '#linkerd/releases/release';

const defaults = (version: 'stable-2.14.10' | 'edge-26.8.3', chart: 'controlPlane' | 'crds' | 'cni') =>
  chartDefaults(releaseOf(version).charts[chart]);

/** Values without a default. 2.14 sets this one only in its profile for high availability. */
const NO_DEFAULT = ['policyControllerResources'];

test.each(GONE_VALUES.map((value) => [value.path, value] as const))(
  'GONE_VALUES has %s, which 2.14 has and the newest release lacks',
  (path, { chart, renamedTo }) => {
    if (chart !== 'controlPlane' && chart !== 'crds') throw new Error(`no defaults of ${chart} are compared`);
    if (!NO_DEFAULT.includes(path)) expect(valueAt(defaults('stable-2.14.10', chart), path)).toBeDefined();
    expect(valueAt(defaults('edge-26.8.3', chart), path)).toBeUndefined();
    if (renamedTo !== undefined) expect(valueAt(defaults('edge-26.8.3', chart), renamedTo)).toBeDefined();
  },
);

test.each(CHANGED_DEFAULTS.map((value) => [`${value.chart} ${value.path}`, value] as const))(
  'CHANGED_DEFAULTS has the former and the present default of %s',
  (_, { chart, path, before, after }) => {
    if (chart !== 'controlPlane' && chart !== 'cni') throw new Error(`no defaults of ${chart} are compared`);
    expect(valueAt(defaults('edge-26.8.3', chart), path)).toBe(after);
    // `before` also describes the behavior of a chart that lacks the value.
    expect(valueAt(defaults('stable-2.14.10', chart), path) ?? before).toBe(before);
  },
);

test('GONE_VALUES and CHANGED_DEFAULTS have only releases after 2.14', () => {
  for (const { since } of [...GONE_VALUES, ...CHANGED_DEFAULTS]) {
    expect(compareReleases(since, 'stable-2.14.10')).toBeGreaterThan(0);
    expect(compareReleases(since, 'edge-26.8.3')).toBeLessThan(0);
  }
});
