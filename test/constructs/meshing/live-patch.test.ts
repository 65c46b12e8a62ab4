import { patchLive } from '../../../lib/constructs/meshing/live-patch';
import { keepOnPrune } from '../../../lib/kubernetes/sync-options';
import { plainObjects } from '../../support/plain-app';
import { mesh } from './fixture';

const part = { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: {} };

test('a part of an object is merged into the live one, which Argo CD never deletes', () => {
  const { chart } = mesh();
  patchLive(chart, 'patch', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: 'web',
    namespace: 'other',
    spec: part,
  });
  expect(plainObjects(chart)).toEqual([
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: 'web',
        namespace: 'other',
        annotations: {
          ...keepOnPrune(),
          'argocd.argoproj.io/sync-options': 'ServerSideApply=true,Prune=false,Delete=false',
        },
      },
      spec: part,
    },
  ]);
});
