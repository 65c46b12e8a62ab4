import { mergeValues } from '#base/values';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { LINKERD_VERSIONS } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { checkHighAvailability } from '#linkerd/renderers/high-availability';

const profile = defaultsOf(releaseOf('edge-26.8.3')).highAvailability;

test.each(LINKERD_VERSIONS)('the high-availability values of the chart of %s have no problems', (version) => {
  const { controlPlane, highAvailability } = defaultsOf(releaseOf(version));
  expect(checkHighAvailability(mergeValues(controlPlane, highAvailability))).toEqual([]);
});

test('the default values of the chart are not highly available', () => {
  expect(checkHighAvailability(defaultsOf(releaseOf('edge-26.8.3')).controlPlane)).toHaveLength(5);
});

test.each([
  ['controllerReplicas', 1],
  ['enablePodAntiAffinity', false],
  ['enablePodDisruptionBudget', false],
  ['webhookFailurePolicy', 'Ignore'],
  ['highAvailability', false],
  ['highAvailability', null],
])('synth reports that %s: %s reverts high availability', (key, value) => {
  expect(checkHighAvailability({ ...profile, [key]: value })).toMatchObject([
    {
      code: 'high-availability-overridden',
      about: `values.${key}`,
      parameters: { path: key, value: JSON.stringify(value) },
    },
  ]);
});

test.each([
  ['controllerReplicas', '3'],
  ['controllerReplicas', -1],
  ['enablePodAntiAffinity', 'yes'],
  ['highAvailability', 'true'],
])('the check of high availability skips %s with the invalid value %j', (key, value) => {
  expect(checkHighAvailability({ ...profile, [key]: value })).toEqual([]);
});

test('synth accepts any resources and any two or more replicas in a highly available mesh', () => {
  const own = { controllerReplicas: 2, destinationResources: { memory: { limit: '1Gi' } } };
  expect(checkHighAvailability(mergeValues(profile, own))).toEqual([]);
});
