import { DEPLOYMENT_RULES, type Deployment } from '#operator/src/propagation/kinds/deployment';
import { deployment, VALUE } from '#test/support/operator/propagation-objects';

const stuck = [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded', message: 'too slow' }];

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
])('a Deployment of 3 pods, with spec %j and status %j changed, takes down at most %p', (spec, status, expected) => {
  const web = deployment('web', { spec: { replicas: 3, ...spec, template: {} }, status });
  expect(DEPLOYMENT_RULES.takesDown(web)).toBe(expected);
});

test('a Deployment has a deadline unless its spec disables it', () => {
  const withDeadline = (seconds?: number) =>
    deployment('web', { spec: { progressDeadlineSeconds: seconds, template: {} } });
  expect(DEPLOYMENT_RULES.hasDeadline?.(withDeadline())).toBe(true);
  expect(DEPLOYMENT_RULES.hasDeadline?.(withDeadline(2_147_483_647))).toBe(false);
});

test('the operator does not restart a paused Deployment', () => {
  expect(DEPLOYMENT_RULES.hold(deployment('web'))).toBeUndefined();
  expect(DEPLOYMENT_RULES.hold(deployment('web', { spec: { paused: true, template: {} } }))?.kind).toBe('paused');
});

test('the Deployment fields that the cache drops do not change any decision', () => {
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
