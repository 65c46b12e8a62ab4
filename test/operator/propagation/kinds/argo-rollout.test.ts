import { ARGO_ROLLOUT_RULES, type ArgoRollout } from '#operator/src/propagation/kinds/argo-rollout';
import { AFTER, argoRollout, HASH, SINCE } from '#test/support/operator/propagation-objects';

const INJECTION = { configHash: HASH, since: SINCE };

test('the restart of a Rollout covers all pods created until its time', () => {
  expect(ARGO_ROLLOUT_RULES.restart(INJECTION)).toEqual({ restartAt: AFTER });
});

test.each<[ArgoRollout['spec'], ArgoRollout['status'], string | undefined]>([
  [{}, { phase: 'Healthy' }, undefined],
  [{ restartAt: AFTER }, { phase: 'Healthy' }, `all pods older than ${AFTER} have ended`],
  [{ restartAt: AFTER }, { phase: 'Healthy', restartedAt: SINCE }, `all pods older than ${AFTER} have ended`],
  [{ restartAt: AFTER }, { phase: 'Progressing', restartedAt: AFTER }, 'it is healthy (it is Progressing)'],
  [{ restartAt: AFTER }, { phase: 'Healthy', restartedAt: AFTER }, undefined],
  [{}, undefined, 'it is healthy (it is unknown)'],
])('the condition that a Rollout with spec %j and status %j waits for: %p', (spec, status, expected) => {
  expect(ARGO_ROLLOUT_RULES.missing({ ...argoRollout('web', { spec }), status })).toBe(expected);
});

test('the operator does not restart a Rollout that is paused by hand or at a step', () => {
  expect(ARGO_ROLLOUT_RULES.hold(argoRollout('web', { spec: { paused: true } }))?.kind).toBe('paused');
  expect(ARGO_ROLLOUT_RULES.hold(argoRollout('web', { status: { phase: 'Paused' } }))?.kind).toBe('paused');
  expect(ARGO_ROLLOUT_RULES.hold(argoRollout('web'))).toBeUndefined();
});

test('the Rollout fields that the cache drops do not change any decision', () => {
  const full = argoRollout('web', {
    spec: { restartAt: AFTER, paused: false },
    status: { phase: 'Healthy', restartedAt: AFTER },
  });
  expect(ARGO_ROLLOUT_RULES.slim({ ...full, metadata: { ...full.metadata, labels: { big: 'one' } } })).toEqual(full);
});
