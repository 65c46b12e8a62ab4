import { sccGrants, sccRoleBinding } from '#lib/constructs/control-plane/openshift';

const PARTS = { controlPlane: 'linkerd', heartbeat: true, cni: 'linkerd-cni' };
const VIZ = ['default', 'metrics-api', 'prometheus', 'tap', 'tap-injector', 'web'];

test('on OpenShift, the control plane and the CNI plugin are privileged, and Viz is not root', () => {
  expect(sccGrants({ ...PARTS, viz: 'linkerd-viz' })).toEqual([
    {
      scc: 'privileged',
      namespace: 'linkerd',
      serviceAccounts: ['linkerd-destination', 'linkerd-identity', 'linkerd-proxy-injector'],
    },
    { scc: 'nonroot-v2', namespace: 'linkerd', serviceAccounts: ['linkerd-heartbeat'] },
    { scc: 'privileged', namespace: 'linkerd-cni', serviceAccounts: ['linkerd-cni'] },
    { scc: 'anyuid', namespace: 'linkerd-viz', serviceAccounts: VIZ },
    // `anyuid` refuses pods with a seccomp profile.
    { scc: 'nonroot-v2', namespace: 'linkerd-viz', serviceAccounts: VIZ },
  ]);
});

test('on OpenShift, missing components get no SCC', () => {
  expect(sccGrants({ ...PARTS, heartbeat: false }).map(({ scc }) => scc)).toEqual(['privileged', 'privileged']);
});

test('a RoleBinding grants the role that OpenShift has for each SCC', () => {
  expect(sccRoleBinding({ scc: 'anyuid', namespace: 'linkerd-viz', serviceAccounts: ['web'] })).toEqual({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'linkerd-scc-anyuid', namespace: 'linkerd-viz' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:openshift:scc:anyuid' },
    subjects: [{ kind: 'ServiceAccount', name: 'web', namespace: 'linkerd-viz' }],
  });
});
