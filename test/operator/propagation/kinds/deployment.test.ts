import { DEPLOYMENT_RULES, type Deployment } from '#operator/src/propagation/kinds/deployment';
import { deployment, HASH, SINCE, VALUE } from '#test/support/operator/propagation-objects';

const INJECTION = { configHash: HASH, since: SINCE };
const stuck = [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded', message: 'too slow' }];

test.each<[string, Deployment['status'], string | undefined]>([
  ['all new and available', {}, undefined],
  ['the change not seen', { observedGeneration: 1 }, 'its controller has seen the change'],
  ['new ones to come', { updatedReplicas: 2 }, '3 new pods exist (2 do)'],
  ['old ones left', { replicas: 4 }, '1 old pods have ended'],
  ['new ones not available', { availableReplicas: 2 }, '3 new pods are available (2 are)'],
])('a rollout with %s waits until: %p -> %p', (_, status, expected) => {
  expect(DEPLOYMENT_RULES.missing(deployment('web', { status }))).toBe(expected);
});

test('without a status nothing is complete', () => {
  expect(DEPLOYMENT_RULES.missing({ ...deployment('web'), status: undefined })).toBeDefined();
});

test('without replicas there is nothing to wait for', () => {
  const spec = { replicas: 0, template: {} };
  const status = { replicas: 0, updatedReplicas: 0, availableReplicas: 0 };
  expect(DEPLOYMENT_RULES.missing(deployment('web', { spec, status }))).toBeUndefined();
});

test.each<[Partial<Deployment['spec']>, Deployment['status'], number]>([
  [{}, {}, 0],
  [{ replicas: 4 }, { availableReplicas: 4 }, 1],
  [{ replicas: 10, strategy: { rollingUpdate: { maxUnavailable: '25%' } } }, { availableReplicas: 10 }, 2],
  [{ strategy: { rollingUpdate: { maxUnavailable: 2, maxSurge: 0 } } }, {}, 2],
  [{ strategy: { rollingUpdate: { maxUnavailable: 5 } } }, {}, 3],
  [{ strategy: { rollingUpdate: { maxUnavailable: '10%', maxSurge: 0 } } }, {}, 1],
  [{ strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: '1%' } } }, {}, 0],
  [{ strategy: { type: 'Recreate' } }, {}, 3],
  [{ strategy: { rollingUpdate: { maxUnavailable: 2 } } }, { availableReplicas: 2 }, 1],
  [{ strategy: { rollingUpdate: { maxUnavailable: 1 } } }, { availableReplicas: 1 }, 0],
  [{ strategy: { type: 'Recreate' } }, { availableReplicas: 1 }, 1],
])('%j with %j takes down %p', (spec, status, expected) => {
  const web = deployment('web', { spec: { replicas: 3, ...spec, template: {} }, status });
  expect(DEPLOYMENT_RULES.takesDown(web)).toBe(expected);
});

test('a deadline is exceeded when its controller says so of the last change', () => {
  expect(DEPLOYMENT_RULES.overdue?.(deployment('web', { status: { conditions: stuck } }))).toBe('too slow');
  const unseen = deployment('web', { status: { conditions: stuck, observedGeneration: 1 } });
  expect(DEPLOYMENT_RULES.overdue?.(unseen)).toBeUndefined();
  const fine = [{ type: 'Progressing', reason: 'NewReplicaSetAvailable' }];
  expect(DEPLOYMENT_RULES.overdue?.(deployment('web', { status: { conditions: fine } }))).toBeUndefined();
});

test('a Deployment has a deadline unless that is turned off', () => {
  const withDeadline = (seconds?: number) =>
    deployment('web', { spec: { progressDeadlineSeconds: seconds, template: {} } });
  expect(DEPLOYMENT_RULES.hasDeadline?.(withDeadline())).toBe(true);
  expect(DEPLOYMENT_RULES.hasDeadline?.(withDeadline(2_147_483_647))).toBe(false);
});

test('a paused Deployment is held', () => {
  expect(DEPLOYMENT_RULES.hold(deployment('web'))).toBeUndefined();
  expect(DEPLOYMENT_RULES.hold(deployment('web', { spec: { paused: true, template: {} } }))?.kind).toBe('paused');
});

test('a restart changes one annotation of the template, by which it is known', () => {
  expect(DEPLOYMENT_RULES.restart(INJECTION)).toEqual({
    template: { metadata: { annotations: { 'cdk8s-linkerd/config': VALUE } } },
  });
  expect(DEPLOYMENT_RULES.carries(deployment('web', { value: VALUE }), INJECTION)).toBe(true);
  expect(DEPLOYMENT_RULES.carries(deployment('web', { value: HASH }), INJECTION)).toBe(false);
  expect(DEPLOYMENT_RULES.carries(deployment('web'), INJECTION)).toBe(false);
});

test('what is dropped changes no answer', () => {
  const full = deployment('web', {
    value: VALUE,
    spec: { replicas: 2, paused: true, progressDeadlineSeconds: 9, strategy: { type: 'Recreate' }, template: {} },
    status: { replicas: 3, conditions: stuck },
  });
  const { matchLabels } = { matchLabels: { app: 'web' } };
  expect(
    DEPLOYMENT_RULES.slim({
      ...full,
      metadata: { ...full.metadata, labels: { big: 'one' }, annotations: { other: 'one' } },
      spec: { ...full.spec, selector: { matchLabels } },
      status: { ...full.status, conditions: [...stuck, { type: 'Available' }] },
    }),
  ).toEqual({ ...full, spec: { ...full.spec, selector: { matchLabels } } });
});
