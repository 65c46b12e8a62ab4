import type { ClusterView } from '#operator/src/propagation/plan/cluster-view';
import type { PropagationTarget } from '#operator/src/propagation/plan/propagation-plan';
import {
  AFTER,
  clusterView,
  deployment,
  HASH,
  injector,
  ownerOf,
  pod,
  replicaSetOf,
  SINCE,
  statefulSet,
  VALUE,
} from '#test/support/operator/propagation-objects';
import { planPropagation } from '../plan-propagation';

const NOW = new Date('2026-11-21T10:00:00.250Z');
const NOW_TEXT = '2026-11-21T10:00:00Z';
const TARGET: PropagationTarget = { configHash: HASH, maxUnavailableWorkloads: 1, progressDeadlineSeconds: 600 };
const OTHER = 'fedcba9876543210';

const db = statefulSet('db');
const web = deployment('web');
const replicaSet = replicaSetOf(web);
const shop = {
  workloads: [db, web],
  replicaSets: [replicaSet],
  pods: [pod('db-0', { owner: ownerOf(db) }), pod('web-0', { owner: ownerOf(replicaSet) }), pod('bare')],
};
const plan = (view: Partial<ClusterView>, target: Partial<PropagationTarget> = {}) =>
  planPropagation(clusterView({ ...shop, ...view }), { ...TARGET, ...target }, NOW);
const restart = (value: string) => ({ template: { metadata: { annotations: { 'cdk8s-linkerd/config': value } } } });

test('the operator restarts the injector first, on the condition that the injector is unchanged', () => {
  const { actions, report } = plan({}, { configHash: OTHER });
  expect(actions).toEqual([
    {
      fence: { kind: 'config' },
      resource: expect.objectContaining({ kind: 'Deployment' }),
      key: 'linkerd/linkerd-proxy-injector',
      body: {
        metadata: {
          resourceVersion: '1',
          annotations: { 'cdk8s-linkerd/injection': VALUE.replace(HASH, 'superseded') },
        },
        spec: restart(`${OTHER}.2`),
      },
    },
  ]);
  expect(report.progressing).toMatchObject({ status: true, reason: 'InjectorRollout' });
  expect(report.status.injector).toBeUndefined();
});

test('the status has no time for an injector without a record', () => {
  const [action] = plan({ injector: injector() }).actions;
  expect(action?.body.metadata).toEqual({ resourceVersion: '1', annotations: { 'cdk8s-linkerd/injection': null } });
});

test('after the injector, the operator records the time since when every injector pod has the configuration', () => {
  const { actions } = plan({ injector: injector({ annotated: `${HASH}.1` }), injectorPods: [] });
  expect(actions).toMatchObject([
    {
      fence: { kind: 'config' },
      key: 'linkerd/linkerd-proxy-injector',
      body: {
        metadata: { resourceVersion: '1', annotations: { 'cdk8s-linkerd/injection': `${HASH}.20261121T100000Z` } },
      },
    },
  ]);
});

test('after the record, the operator restarts workloads on the condition that they and the injector are unchanged', () => {
  const { actions, report } = plan({});
  expect(actions).toEqual([
    {
      fence: { kind: 'injector', key: 'linkerd/linkerd-proxy-injector', marks: { recorded: VALUE, annotated: HASH } },
      resource: expect.objectContaining({ kind: 'Deployment' }),
      key: 'shop/web',
      id: 'shop/Deployment/web',
      body: { metadata: { resourceVersion: '1' }, spec: restart(VALUE) },
    },
  ]);
  expect(report.status).toEqual({
    injector: { configHash: HASH, since: SINCE },
    inProgress: [{ workload: 'shop/Deployment/web', since: NOW_TEXT }],
    workloads: [
      {
        namespace: 'shop',
        injected: ['Deployment/web', 'StatefulSet/db'],
        injectedCount: 2,
        uninjected: [],
        uninjectedCount: 0,
      },
    ],
    unmanagedPods: { count: 1, pods: ['shop/bare'] },
  });
});

test('while no injector is ready, the operator restarts nothing, and the status keeps restarts in progress', () => {
  const away = { ...injector({ annotated: `${HASH}.1`, recorded: VALUE }), status: { availableReplicas: 0 } };
  const previous = { inProgress: [{ workload: 'shop/StatefulSet/db', since: AFTER }] };
  const { actions, report } = plan({ injector: away }, { previous });
  expect(actions).toEqual([]);
  expect(report.degraded).toMatchObject({
    reason: 'InjectorMissing',
    message: expect.stringMatching(/^No replica of linkerd\/Deployment\/linkerd-proxy-injector is available/),
  });
  expect(report.status).toMatchObject({ injector: { configHash: HASH, since: SINCE }, ...previous });
});

test('an unchanged adopted control plane requires no restart', () => {
  const { actions, report } = plan({ injector: injector() }, { adoptedHash: HASH });
  expect(actions).toEqual([]);
  expect(report).toMatchObject({ progressing: { status: false, reason: 'UpToDate' }, status: { inProgress: [] } });
  expect(report.degraded).toBeUndefined();
});

const rolling = deployment('web', { value: VALUE, status: { updatedReplicas: 1 } });
const ready = statefulSet('db', { value: VALUE });

test('the status keeps the start time of a restart, even while its workload has no pods', () => {
  const previous = { inProgress: [{ workload: 'shop/Deployment/web', since: AFTER }] };
  const view = { workloads: [rolling, ready], pods: [] };
  expect(plan(view, { previous }).report.status.inProgress).toEqual(previous.inProgress);
  expect(
    plan({ ...view, workloads: [deployment('web', { value: VALUE })] }, { previous }).report.status.inProgress,
  ).toEqual([]);
  expect(plan({ ...view, workloads: [] }, { previous }).report.status.inProgress).toEqual([]);
});

test('the status keeps incomplete restarts while the injector restarts', () => {
  const previous = {
    inProgress: ['web', 'gone'].map((name) => ({ workload: `shop/Deployment/${name}`, since: AFTER })),
  };
  const restarting = plan({ workloads: [rolling, ready] }, { configHash: OTHER, previous }).report.status;
  expect(restarting.inProgress).toEqual([{ workload: 'shop/Deployment/web', since: AFTER }]);
  expect(plan({}, { configHash: OTHER, previous }).report.status.inProgress).toEqual([]);
});

test('the status keeps a restart that an earlier configuration left incomplete until its turn comes', () => {
  const left = deployment('web', { value: 'older', status: { updatedReplicas: 1 } });
  const stuck = statefulSet('db', { value: VALUE, status: { readyReplicas: 1 } });
  const previous = {
    inProgress: ['Deployment/web', 'StatefulSet/db'].map((name) => ({ workload: `shop/${name}`, since: NOW_TEXT })),
  };
  const { actions, report } = plan({ workloads: [left, stuck] }, { previous });
  expect(actions).toEqual([]);
  expect(report.status.inProgress).toEqual(previous.inProgress);
});

test('a restart of a workload that is still being read keeps its slot, whatever the injector does', () => {
  const unseen = { workload: 'shop/Rollout/api', since: AFTER };
  const previous = { inProgress: [unseen] };
  const { actions, report } = plan({ isIncomplete: true }, { previous });
  expect(actions).toEqual([]);
  expect(report.status.inProgress).toEqual([unseen]);
  expect(report.progressing).toMatchObject({ status: true, reason: 'Waiting' });
  expect(plan({ isIncomplete: true }, { configHash: OTHER, previous }).report.status.inProgress).toEqual([unseen]);
  expect(plan({}, { previous }).report.status.inProgress).not.toContainEqual(unseen);
});

test('a restart that the API server refused does not count as in progress', () => {
  const previous = { inProgress: [{ workload: 'shop/Deployment/web', since: AFTER }] };
  const rejections = new Map([['shop/Deployment/web', 'the API server refused its restart: no']]);
  expect(plan({ rejections }, { previous, maxUnavailableWorkloads: 2 }).report.status.inProgress).toEqual([
    { workload: 'shop/StatefulSet/db', since: NOW_TEXT },
  ]);
});

test('the operator keeps its own deadline, whatever deadline the workload has', () => {
  const previous = { inProgress: [{ workload: 'shop/StatefulSet/db', since: '2026-11-21T09:51:00Z' }] };
  const waiting = statefulSet('db', { value: VALUE, status: { readyReplicas: 1 } });
  expect(plan({ workloads: [waiting] }, { previous }).requeueAfterMs).toBe(59_750);
  expect(plan({ workloads: [db], pods: shop.pods.slice(0, 1) }).requeueAfterMs).toBe(599_750);
  expect(plan({ workloads: [rolling] }).requeueAfterMs).toBe(599_750);
  expect(plan({ workloads: [waiting] }, { previous, progressDeadlineSeconds: 1 }).requeueAfterMs).toBeUndefined();
});

test("the operator handles a pod later if its cache does not have the pod's workload yet", () => {
  expect(plan({ workloads: [] }).actions).toEqual([]);
});

test('the status is degraded by an injector that restarts too long, even if its controller reports nothing', () => {
  const spec = { replicas: 1, progressDeadlineSeconds: 2_147_483_647, template: {} };
  const marked = injector({ annotated: `${OTHER}.1` });
  const quiet = { ...marked, spec: { ...marked.spec, ...spec, template: marked.spec.template }, status: {} };
  const look = (since?: string, configHash = OTHER) =>
    plan(
      { injector: quiet },
      { configHash: OTHER, ...(since && { previous: { injectorRestart: { configHash, since } } }) },
    );
  const first = look();
  expect(first.report.degraded).toBeUndefined();
  expect(first.report.status.injectorRestart).toEqual({ configHash: OTHER, since: NOW_TEXT });
  expect(first.requeueAfterMs).toBe(599_750);
  expect(look('2026-11-21T09:50:01Z').report.degraded).toBeUndefined();
  expect(look('2026-11-21T09:50:00Z').report.degraded).toMatchObject({ reason: 'RolloutStuck' });
  expect(look('2026-11-21T09:50:00Z', HASH).report.degraded).toBeUndefined();
  expect(look('2099-11-21T09:50:00Z').report.status.injectorRestart).toEqual({ configHash: OTHER, since: NOW_TEXT });
});

test('the status lists pods with a forged owner as pods that are not restarted', () => {
  const ghost = replicaSetOf({ ...web, apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout' });
  const view = { workloads: [db], replicaSets: [ghost], pods: [pod('web-0', { owner: ownerOf(ghost) })] };
  expect(plan(view).report.status).toMatchObject({ unmanagedPods: { count: 1, pods: ['shop/web-0'] }, workloads: [] });
  // The owner may not have been read yet.
  expect(plan({ ...view, isIncomplete: true }).report.status).toMatchObject({ unmanagedPods: { count: 0 } });
});

test('a restart of an unhealthy workload never counts against the configuration, even after a crash', () => {
  const broken = deployment('web', { status: { availableReplicas: 1 } });
  const { inProgress } = plan({ workloads: [broken] }).report.status;
  expect(inProgress).toEqual([{ workload: 'shop/Deployment/web', since: NOW_TEXT, unsettled: true }]);
  const previous = { inProgress: inProgress.map((restart) => ({ ...restart, since: '2026-11-21T09:40:00Z' })) };
  const after = plan({ workloads: [rolling], pods: [] }, { previous }).report;
  expect(after.degraded).toMatchObject({ reason: 'RestartIncomplete' });
  expect(after.status.inProgress).toEqual(previous.inProgress);
});

test('the operator replaces a future or unreadable start time with the present', () => {
  for (const since of ['2999-01-01T00:00:00Z', 'garbage', '']) {
    const previous = { inProgress: [{ workload: 'shop/Deployment/web', since }] };
    expect(plan({ workloads: [rolling], pods: [] }, { previous }).report.status.inProgress).toEqual([
      { workload: 'shop/Deployment/web', since: NOW_TEXT },
    ]);
  }
});
