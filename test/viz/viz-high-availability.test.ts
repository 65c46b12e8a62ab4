import { defaultsOf } from '../../lib/releases/chart-defaults';
import { LINKERD_VERSIONS } from '../../lib/releases/versions';
import { checkVizAvailability } from '../../lib/viz/viz-high-availability';

test.each(LINKERD_VERSIONS)('the profile of %s is highly available', (version) =>
  expect(checkVizAvailability(defaultsOf(version).vizHighAvailability, version)).toEqual([]),
);

test.each([
  ['tap.replicas', 1, { tap: { replicas: 1 } }],
  ['enablePodAntiAffinity', false, { enablePodAntiAffinity: false }],
  ['enablePodDisruptionBudget', false, { enablePodDisruptionBudget: false }],
])('%s: %s takes it back', (path, value, own) => {
  const problems = checkVizAvailability({ ...defaultsOf('edge-26.8.3').vizHighAvailability, ...own }, 'edge-26.8.3');
  expect(problems.map(({ what }) => what)).toEqual([`highAvailability is true, but values.${path} is ${value}`]);
});

test('two replicas of tap are enough', () => {
  const values = { ...defaultsOf('edge-26.8.3').vizHighAvailability, tap: { replicas: 2 } };
  expect(checkVizAvailability(values, 'edge-26.8.3')).toEqual([]);
});
