import type { KubeObject } from '../support/cluster/objects';
import { rolloutGap } from '../support/cluster/rollout';

function workload(kind: string, status: unknown, replicas?: number): KubeObject {
  return { apiVersion: 'apps/v1', kind, metadata: { name: 'web', generation: 2 }, spec: { replicas }, status };
}

const seen = { observedGeneration: 2 };

it.each([
  ['not seen yet', workload('Deployment', undefined), 'its controller has not seen the last change'],
  [
    'seen, but not this',
    workload('Deployment', { observedGeneration: 1 }),
    'its controller has not seen the last change',
  ],
  ['old pods', workload('Deployment', { ...seen, replicas: 3, readyReplicas: 3 }, 3), '0 of 3 pods are updated'],
  ['pods not ready', workload('Deployment', { ...seen, replicas: 1, updatedReplicas: 1 }), '0 of 1 pods are ready'],
  [
    'a pod too many',
    workload('Deployment', { ...seen, replicas: 2, updatedReplicas: 1, readyReplicas: 1 }, 1),
    '2 pods, old ones among them',
  ],
  ['all there', workload('Deployment', { ...seen, replicas: 2, updatedReplicas: 2, readyReplicas: 2 }, 2), undefined],
  ['none wanted', workload('Deployment', { ...seen, replicas: 0 }, 0), undefined],
  [
    'a node not updated',
    workload('DaemonSet', { ...seen, desiredNumberScheduled: 3, updatedNumberScheduled: 2, numberReady: 3 }),
    '2 of 3 pods are updated',
  ],
  [
    'on all nodes',
    workload('DaemonSet', { ...seen, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberReady: 3 }),
    undefined,
  ],
  [
    'an old revision',
    workload('StatefulSet', {
      ...seen,
      updatedReplicas: 1,
      readyReplicas: 1,
      currentRevision: 'web-1',
      updateRevision: 'web-2',
    }),
    'old pods are left',
  ],
  [
    'one revision',
    workload('StatefulSet', {
      ...seen,
      updatedReplicas: 1,
      readyReplicas: 1,
      currentRevision: 'web-2',
      updateRevision: 'web-2',
    }),
    undefined,
  ],
])('%s', (_name, object, gap) => {
  expect(rolloutGap(object)).toBe(gap);
});
