import { DAEMON_SET_RULES, type DaemonSet } from '#operator/src/propagation/kinds/daemon-set';
import { daemonSet, HASH, SINCE, VALUE } from '#test/support/operator/propagation-objects';

test.each<[string, DaemonSet['status'], string | undefined]>([
  ['all pods new and available', {}, undefined],
  ['an unobserved change', { observedGeneration: 1 }, 'its controller has observed the change'],
  ['missing new pods', { updatedNumberScheduled: 1 }, '3 new pods exist (1 do)'],
  ['unavailable new pods', { numberAvailable: 2 }, '3 new pods are available (2 are)'],
])('the condition that a rollout of a DaemonSet with %s waits for: %j -> %p', (_, status, expected) => {
  expect(DAEMON_SET_RULES.missing(daemonSet('agent', { status }))).toBe(expected);
});

test.each<[DaemonSet['spec']['updateStrategy'], DaemonSet['status'], number]>([
  [undefined, {}, 1],
  [undefined, { numberAvailable: 2 }, 0],
  [{ rollingUpdate: { maxUnavailable: 2 } }, {}, 2],
  [{ rollingUpdate: { maxUnavailable: '10%' } }, {}, 1],
  [{ rollingUpdate: { maxUnavailable: 5 } }, {}, 3],
  [{ rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }, {}, 0],
])(
  'a DaemonSet of 3 pods, with strategy %j and status %j, takes down at most %p',
  (updateStrategy, status, expected) => {
    expect(DAEMON_SET_RULES.takesDown(daemonSet('agent', { spec: { updateStrategy, template: {} }, status }))).toBe(
      expected,
    );
  },
);

test('only the strategy OnDelete prevents restarts of a DaemonSet by the operator', () => {
  const withType = (type: string) => daemonSet('agent', { spec: { updateStrategy: { type }, template: {} } });
  expect(DAEMON_SET_RULES.hold(withType('OnDelete'))?.kind).toBe('manual');
  expect(DAEMON_SET_RULES.hold(withType('RollingUpdate'))).toBeUndefined();
});

test('the operator restarts a DaemonSet by a change of its pod template, and decides the same without the fields that the cache omits', () => {
  const full = daemonSet('agent', { value: VALUE, spec: { updateStrategy: { type: 'OnDelete' }, template: {} } });
  const slim = DAEMON_SET_RULES.slim({ ...full, metadata: { ...full.metadata, labels: { big: 'one' } } });
  expect(slim).toEqual(full);
  expect(DAEMON_SET_RULES.carries(slim, { configHash: HASH, since: SINCE })).toBe(true);
  expect(DAEMON_SET_RULES.restart({ configHash: HASH, since: SINCE })).toEqual({ template: full.spec.template });
});
