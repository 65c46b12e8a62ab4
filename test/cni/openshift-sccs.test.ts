import { sccGrants, sccRoleBinding } from '../../lib/cni/openshift-sccs';

test('the control plane and the plugin are privileged, Viz runs as any user', () => {
  expect(sccGrants({ controlPlane: 'linkerd', cni: 'linkerd-cni', viz: 'linkerd-viz' })).toEqual([
    {
      scc: 'privileged',
      namespace: 'linkerd',
      serviceAccounts: ['linkerd-destination', 'linkerd-identity', 'linkerd-proxy-injector'],
    },
    { scc: 'privileged', namespace: 'linkerd-cni', serviceAccounts: ['linkerd-cni'] },
    {
      scc: 'anyuid',
      namespace: 'linkerd-viz',
      serviceAccounts: ['default', 'metrics-api', 'prometheus', 'tap', 'tap-injector', 'web'],
    },
  ]);
});

test('without Viz it gets nothing', () => {
  expect(sccGrants({ controlPlane: 'linkerd', cni: 'linkerd-cni' })).toHaveLength(2);
});

test('a grant is a binding to the role that OpenShift has for each SCC', () => {
  expect(sccRoleBinding({ scc: 'anyuid', namespace: 'linkerd-viz', serviceAccounts: ['web'] })).toEqual({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'linkerd-scc-anyuid', namespace: 'linkerd-viz' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:openshift:scc:anyuid' },
    subjects: [{ kind: 'ServiceAccount', name: 'web', namespace: 'linkerd-viz' }],
  });
});
