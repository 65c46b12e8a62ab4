import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import { type KubeObject, ref } from '../../support/cluster/objects';
import { argumentsOf, createMesh, type RotatedMesh } from './rotated-mesh';

let cluster: Cluster;
let mesh: RotatedMesh;
let role: KubeObject;
beforeAll(async () => {
  cluster = await sharedCluster();
  mesh = await createMesh(cluster);
  role = await cluster.get(ref('rbac.authorization.k8s.io/v1', 'Role', 'linkerd-restarter', mesh.namespace));
});
afterAll(() => mesh?.remove());
afterEach(() => setRules(role.rules));

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

async function setRules(rules: readonly Rule[]): Promise<void> {
  await cluster.patch(role, { rules });
}

async function without(resource: string, verb: string): Promise<void> {
  const rules = (role.rules as readonly Rule[]).map((rule) =>
    rule.resources.includes(resource) ? { ...rule, verbs: rule.verbs.filter((other) => other !== verb) } : rule,
  );
  await setRules(rules.filter(({ verbs }) => verbs.length > 0));
  // The API server's authorizer sees the change a moment later.
  await cluster.eventually(async () => {
    const { status } = await cluster.create({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: { user: mesh.user, resourceAttributes: { namespace: mesh.namespace, verb, ...namesOf(resource) } },
    });
    expect(status.allowed).toBe(false);
  });
}

function namesOf(resource: string) {
  const rule = (role.rules as readonly Rule[]).find(({ resources }) => resources.includes(resource));
  const [name, subresource] = resource.split('/');
  return { group: rule?.apiGroups[0], resource: name, subresource, name: rule?.resourceNames?.[0] };
}

/** The flags of the CronJob for identity alone. */
function identityOnly(): readonly string[] {
  return argumentsOf(mesh.cronJob).filter(
    (argument) => !argument.startsWith('--') || argument.includes('/linkerd-identity='),
  );
}

test('a run rotates identity with all permissions', async () => {
  expect((await mesh.rotate({ args: identityOnly() })).code).toBe(0);
});

test.each([
  ['get', 'certificates'],
  ['patch', 'certificates/status'],
  ['get', 'secrets'],
  ['get', 'configmaps'],
  ['get', 'deployments'],
  ['patch', 'deployments'],
])('a run does not rotate identity without the permission to %s %s', async (verb, resource) => {
  await without(resource, verb);
  const { code, logs } = await mesh.rotate({ args: identityOnly() });
  expect(code).toBe(1);
  const [name] = resource.split('/');
  const refusal = new RegExp(`cannot ${verb} resource "${name}`);
  expect(logs.at(-1)?.error).toMatch(refusal);
  expect(await mesh.events('Deployment', 'linkerd-identity')).toContainEqual(expect.stringMatching(refusal));
});

describe('Events', () => {
  beforeAll(() => mesh.issuer.behave('linkerd-identity-issuer', 'fail'));
  afterAll(() => mesh.issuer.behave('linkerd-identity-issuer', 'issue'));
  const events = () => mesh.events('Certificate', 'linkerd-identity-issuer');

  test('are not written without the permission to create events', async () => {
    await without('events', 'create');
    expect((await mesh.rotate({ args: identityOnly() })).code).toBe(3);
    expect(await events()).toEqual([]);
  });

  test('are counted only with the permission to patch events', async () => {
    await mesh.rotate({ args: identityOnly() });
    expect(await events()).toEqual([expect.stringContaining('(1)')]);
    await without('events', 'patch');
    await mesh.rotate({ args: identityOnly() });
    expect(await events()).toEqual([expect.stringContaining('(1)')]);
    await setRules(role.rules);
    await cluster.eventually(async () => {
      await mesh.rotate({ args: identityOnly() });
      expect(await events()).toEqual([expect.stringContaining('(2)')]);
    });
  });
});
