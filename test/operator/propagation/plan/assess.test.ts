import type { Workload } from '#operator/src/propagation/kinds/workload';
import type { Pod } from '#operator/src/propagation/objects/pod';
import { assess, type RestartCriteria, type RolloutState } from '#operator/src/propagation/plan/assess';
import {
  AFTER,
  argoRollout,
  daemonSet,
  deployment,
  HASH,
  pod,
  SINCE,
  statefulSet,
  VALUE,
} from '#test/support/operator/propagation-objects';

const CRITERIA: RestartCriteria = {
  injection: { configHash: HASH, since: SINCE },
  begun: new Map(),
  now: '2026-11-21T10:00:00Z',
  progressDeadlineSeconds: 600,
};
const old = pod('old');
const fresh = pod('fresh', { created: AFTER });
const state = (workload: Workload, pods: readonly Pod[], more: Partial<RestartCriteria> = {}): RolloutState =>
  assess('id', workload, pods, { ...CRITERIA, ...more }).state;
const begun = (since: string) => ({ begun: new Map([['id', since]]) });
const onDelete = { updateStrategy: { type: 'OnDelete' }, template: {} };
const rolling = { updatedReplicas: 1 };

test('no workload is stale before the operator has restarted an injector', () => {
  expect(state(deployment('web'), [old], { injection: undefined })).toEqual({ kind: 'current' });
});

test('a pod injected before the change makes its workload stale', () => {
  expect(state(deployment('web'), [fresh, old])).toEqual({
    kind: 'stale',
    unsettled: undefined,
    isOverdue: false,
    takesNoSlot: false,
  });
  expect(state(deployment('web'), [fresh])).toEqual({ kind: 'current' });
  expect(state(deployment('web'), [pod('old', { injected: false })])).toEqual({ kind: 'current' });
});

test('a workload whose restart the operator left incomplete is overdue after its deadline', () => {
  const db = statefulSet('db', { value: 'older', status: { readyReplicas: 1 } });
  expect(state(db, [old], begun('2026-11-21T09:51:00Z'))).toMatchObject({ kind: 'stale', isOverdue: false });
  expect(state(db, [old], begun('2026-11-21T09:50:00Z'))).toMatchObject({ kind: 'stale', isOverdue: true });
  expect(state(db, [old])).toMatchObject({ kind: 'stale', isOverdue: false });
});

test('a restart in progress began at the time in the status, or otherwise now', () => {
  const web = deployment('web', { value: VALUE, status: rolling });
  const until = '3 new pods exist (1 do)';
  expect(state(web, [old])).toEqual({ kind: 'restarting', since: CRITERIA.now, until });
  expect(state(web, [old], { ...begun(AFTER), progressDeadlineSeconds: 3_600 })).toEqual({
    kind: 'restarting',
    since: AFTER,
    until,
  });
});

test('a restart whose new pods have no proxy has failed, whatever state the rollout has', () => {
  const web = deployment('web', { value: VALUE });
  const bare = [pod('new', { created: AFTER, injected: false })];
  expect(state(web, [fresh, ...bare], begun(AFTER))).toEqual({
    kind: 'restarting',
    since: AFTER,
    until: 'its new pods have proxies',
    overdue: '1 of its new pods have no proxy',
  });
  expect(state(web, bare)).toEqual({ kind: 'current' });
  expect(state(web, [fresh, pod('older', { injected: false })], begun(AFTER))).toEqual({ kind: 'current' });
});

test('the operator leaves a Rollout with a scheduled restart to its schedule', () => {
  const later = argoRollout('w', { spec: { restartAt: '2026-11-21T22:00:00Z' } });
  const held = { kind: 'held', why: 'it restarts automatically at 2026-11-21T22:00:00Z' };
  expect(state(later, [old])).toEqual(held);
  expect(state(later, [old], begun(SINCE))).toEqual(held);
  expect(state(later, [fresh], begun(SINCE))).toEqual({ kind: 'current' });
  expect(state(later, [old], { now: '2026-11-21T22:00:00Z' })).toMatchObject({ kind: 'restarting' });
  // The operator's own restart may begin a second later: the operator still has to follow it.
  const ours = argoRollout('w', { spec: { restartAt: AFTER } });
  expect(state(ours, [old], { now: SINCE })).toMatchObject({ kind: 'restarting' });
});

test('the operator does not attribute a later rollout by another client to its complete restart', () => {
  const conditions = [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded' }];
  const web = deployment('web', { value: VALUE, status: { ...rolling, conditions } });
  expect(state(web, [fresh])).toEqual({ kind: 'current' });
});

test('a Deployment is overdue when its own controller says so', () => {
  const conditions = [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded', message: 'too slow' }];
  const web = (status: object) => deployment('web', { value: VALUE, status: { ...rolling, ...status } });
  expect(state(web({ conditions }), [old])).toMatchObject({ overdue: 'too slow' });
  expect(state(web({}), [old], begun(SINCE))).not.toHaveProperty('overdue', expect.anything());
});

test.each<[string, Workload]>([
  ['StatefulSet', statefulSet('w', { value: VALUE, status: { readyReplicas: 2 } })],
  ['DaemonSet', daemonSet('w', { value: VALUE, status: { numberAvailable: 2 } })],
  ['Rollout', argoRollout('w', { spec: { restartAt: AFTER } })],
  [
    'Deployment without a deadline',
    deployment('w', {
      value: VALUE,
      spec: { replicas: 3, progressDeadlineSeconds: 2_147_483_647, template: {} },
      status: rolling,
    }),
  ],
])('a %s is overdue after the time that the LinkerdConfig gives it', (_, workload) => {
  expect(state(workload, [old], begun('2026-11-21T09:50:00Z'))).toMatchObject({
    overdue: 'it is not complete after 600 s',
  });
  expect(state(workload, [old], begun('2026-11-21T09:50:01Z'))).toMatchObject({
    kind: 'restarting',
    overdue: undefined,
  });
});

test('the operator neither restarts a paused workload nor waits for it', () => {
  const paused = { replicas: 3, paused: true, template: {} };
  const held = { kind: 'held', why: 'it is paused' };
  expect(state(deployment('web', { spec: paused }), [old])).toEqual(held);
  expect(state(deployment('web', { spec: paused, value: VALUE, status: rolling }), [old], begun(SINCE))).toEqual(held);
});

test('a workload with strategy OnDelete gets the annotation, and restarts when its pods are deleted', () => {
  const revisions = { updateRevision: 'b', currentRevision: 'a' };
  const why = 'its update strategy is OnDelete';
  expect(state(statefulSet('db', { spec: onDelete }), [old])).toMatchObject({ kind: 'stale', takesNoSlot: true });
  expect(state(statefulSet('db', { spec: onDelete, value: VALUE, status: revisions }), [old])).toEqual({
    kind: 'held',
    why,
  });
  expect(state(statefulSet('db', { spec: onDelete, value: VALUE, status: revisions }), [fresh])).toEqual({
    kind: 'current',
  });
  expect(state(daemonSet('a', { spec: onDelete, value: VALUE }), [old])).toEqual({ kind: 'held', why });
});

test('a partition restarts the pods above it, and the others when it is lowered', () => {
  const spec = { replicas: 3, updateStrategy: { rollingUpdate: { partition: 1 } }, template: {} };
  const db = (updatedReplicas: number) =>
    statefulSet('db', { spec, value: VALUE, status: { updatedReplicas, updateRevision: 'b' } });
  expect(state(db(1), [old]).kind).toBe('restarting');
  expect(state(db(2), [old])).toEqual({ kind: 'held', why: 'its partition keeps 1 pods unchanged' });
});

const late = { ...begun('2026-11-21T09:50:00Z') };
const failing = (created: string) => pod('new', { created, ready: false });
const restarted = deployment('web', { value: VALUE, status: rolling });
const stuckSays = (text: string) => ({ kind: 'restarting', overdue: text, passedBy: undefined });
const passedBySays = (why: string) => ({ kind: 'restarting', passedBy: `it is not complete after 600 s: ${why}` });

test('the operator skips a restart that exceeds its deadline if no new pod fails', () => {
  expect(state(restarted, [old], late)).toMatchObject(passedBySays('it has no new pods'));
  const comesUp = 'its new pods become ready, but some are missing';
  expect(state(restarted, [old, fresh], late)).toMatchObject(passedBySays(comesUp));
  // In a slow rollout, one pod has always just started.
  expect(state(restarted, [failing('2026-11-21T09:55:01Z')], late)).toMatchObject(passedBySays(comesUp));
});

test('a new pod that is not ready after half of the deadline counts against the configuration', () => {
  const text = 'it is not complete after 600 s: 1 of its new pods are not ready';
  const never = deployment('web', {
    value: VALUE,
    spec: { progressDeadlineSeconds: 9e8, template: {} },
    status: rolling,
  });
  expect(state(never, [failing('2026-11-21T09:55:00Z')], late)).toEqual({
    ...stuckSays(text),
    since: '2026-11-21T09:50:00Z',
    until: '3 new pods exist (1 do)',
  });
  const before = { ...late, unsettledBefore: new Set(['id']) };
  expect(state(never, [failing('2026-11-21T09:55:00Z')], before)).toMatchObject(
    passedBySays('it was already incomplete before the restart'),
  );
});

test('new pods refused by the injector count against the configuration, unlike pods refused by a quota', () => {
  const refused = (message: string) =>
    deployment('web', { value: VALUE, status: { ...rolling, conditions: [{ type: 'ReplicaFailure', message }] } });
  const injector = 'admission webhook "linkerd-proxy-injector.linkerd.io" denied the request: no';
  expect(state(refused(injector), [old], late)).toMatchObject({
    overdue: 'it is not complete after 600 s: the injector refuses its new pods',
  });
  expect(state(refused('exceeded quota: small'), [old], late)).toMatchObject(passedBySays('it has no new pods'));
});

test('the operator neither restarts nor waits for a workload that is being deleted', () => {
  const deleted = (workload: Workload) =>
    ({ ...workload, metadata: { ...workload.metadata, deletionTimestamp: AFTER } }) as Workload;
  const held = { kind: 'held', why: 'it is being deleted' };
  expect(state(deleted(deployment('web')), [old])).toEqual(held);
  expect(state(deleted(restarted), [old], late)).toEqual(held);
  expect(state(deleted(restarted), [fresh], late)).toEqual({ kind: 'current' });
});

test('new pods without a proxy do not count against the configuration if they request no injection', () => {
  const bare = [pod('new', { created: AFTER, injected: false })];
  const optOut = { asksForProxy: () => false };
  expect(state(deployment('web', { value: VALUE }), bare, { ...begun(AFTER), ...optOut })).toEqual({ kind: 'current' });
});

test('an attempt without effect ends at the deadline, and the operator repeats it after an equal delay', () => {
  const tried = (since: string) => state(deployment('web'), [old], begun(since));
  expect(tried('2026-11-21T09:50:01Z')).toMatchObject({ kind: 'stale', triedSince: '2026-11-21T09:50:01Z' });
  expect(tried('2026-11-21T09:50:00Z')).toMatchObject({
    kind: 'stale',
    passedBy: 'it could not be restarted in 600 s',
  });
  expect(tried('2026-11-21T09:40:00Z')).toEqual({
    kind: 'stale',
    unsettled: undefined,
    isOverdue: false,
    takesNoSlot: false,
  });
  // A restart for an earlier configuration does not count as an attempt for this one.
  expect(tried('2026-11-21T09:33:00Z')).not.toHaveProperty('triedSince');
});
