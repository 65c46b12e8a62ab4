import { Testing } from 'cdk8s';
import { ReadersPolicy } from '../../../lib/constructs/viz/readers-policy';
import { prepareTree } from '../../../lib/gitops/tree/prepare';
import { checkObject } from '../../../lib/kubernetes/schemas/schema';
import { plainObjects } from '../../support/plain-app';

test('any one of the readers may query the embedded Prometheus', () => {
  const chart = Testing.chart();
  const readers = [
    { namespace: 'grafana', name: 'grafana' },
    { namespace: 'monitoring', name: 'prometheus' },
  ];
  new ReadersPolicy(chart, 'readers', { namespace: 'linkerd-viz', readers });
  prepareTree(chart, 'cdk8s');
  const objects = plainObjects(chart);
  expect(objects.flatMap(checkObject)).toEqual([]);
  const metadata = { name: 'prometheus-readers', namespace: 'linkerd-viz', labels: { 'linkerd.io/extension': 'viz' } };
  expect(objects).toEqual([
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'MeshTLSAuthentication',
      metadata,
      spec: {
        identityRefs: [
          { kind: 'ServiceAccount', namespace: 'grafana', name: 'grafana' },
          { kind: 'ServiceAccount', namespace: 'monitoring', name: 'prometheus' },
        ],
      },
    },
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'AuthorizationPolicy',
      metadata,
      spec: {
        targetRef: { group: 'policy.linkerd.io', kind: 'Server', name: 'prometheus-admin' },
        requiredAuthenticationRefs: [
          { group: 'policy.linkerd.io', kind: 'MeshTLSAuthentication', name: 'prometheus-readers' },
        ],
      },
    },
  ]);
});
