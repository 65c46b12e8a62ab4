import { type PermittedUnit, rotationRoles } from '#operator/api/rbac/rotation';

const UNITS: readonly PermittedUnit[] = [
  {
    namespace: 'linkerd',
    deployment: 'linkerd-identity',
    certificates: ['linkerd-identity-issuer'],
    secrets: ['linkerd-identity-issuer'],
    trustRoots: 'linkerd-identity-trust-roots',
  },
  {
    namespace: 'linkerd',
    deployment: 'linkerd-destination',
    certificates: ['linkerd-sp-validator', 'linkerd-policy-validator'],
    secrets: ['linkerd-sp-validator-k8s-tls', 'linkerd-policy-validator-k8s-tls'],
  },
  { namespace: 'linkerd-viz', deployment: 'tap', certificates: ['tap'], secrets: ['tap-k8s-tls'] },
];

/** Each permission as `verb resource name`. */
function permissions(namespace: string): readonly string[] {
  const role = rotationRoles(UNITS).find((candidate) => candidate.namespace === namespace);
  return (role?.rules ?? []).flatMap(({ verbs, resources, resourceNames = ['*'] }) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) => resourceNames.map((name) => `${verb} ${resource} ${name}`)),
    ),
  );
}

test('the rotation has a Role in each namespace', () => {
  expect(rotationRoles(UNITS).map(({ namespace }) => namespace)).toEqual(['linkerd', 'linkerd-viz']);
});

test('a Role permits only what the units of its namespace need, by name', () => {
  expect(permissions('linkerd')).toEqual([
    'get certificates linkerd-identity-issuer',
    'get certificates linkerd-policy-validator',
    'get certificates linkerd-sp-validator',
    'patch certificates/status linkerd-identity-issuer',
    'patch certificates/status linkerd-policy-validator',
    'patch certificates/status linkerd-sp-validator',
    'get secrets linkerd-identity-issuer',
    'get secrets linkerd-policy-validator-k8s-tls',
    'get secrets linkerd-sp-validator-k8s-tls',
    'get configmaps linkerd-identity-trust-roots',
    'get deployments linkerd-destination',
    'get deployments linkerd-identity',
    'patch deployments linkerd-destination',
    'patch deployments linkerd-identity',
    'create events *',
    'patch events *',
  ]);
});
