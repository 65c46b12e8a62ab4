import { checkVizAvailability } from '#lib/constructs/viz/viz-values';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';

test.each(LINKERD_VERSIONS)('the high-availability values of Viz of %s have no problems', (version) =>
  expect(checkVizAvailability(defaultsOf(releaseOf(version)).vizHighAvailability, releaseOf(version))).toEqual([]),
);

test.each([
  ['tap.replicas', 1, { tap: { replicas: 1 } }],
  ['enablePodAntiAffinity', false, { enablePodAntiAffinity: false }],
  ['enablePodDisruptionBudget', false, { enablePodDisruptionBudget: false }],
])('synth reports that %s: %s reverts high availability of Viz', (path, value, own) => {
  const problems = checkVizAvailability(
    { ...defaultsOf(releaseOf('edge-26.8.3')).vizHighAvailability, ...own },
    releaseOf('edge-26.8.3'),
  );
  expect(problems).toMatchObject([
    { code: 'high-availability-overridden', parameters: { path, value: String(value) } },
  ]);
});

test('two replicas of tap are enough for high availability', () => {
  const values = { ...defaultsOf(releaseOf('edge-26.8.3')).vizHighAvailability, tap: { replicas: 2 } };
  expect(checkVizAvailability(values, releaseOf('edge-26.8.3'))).toEqual([]);
});
