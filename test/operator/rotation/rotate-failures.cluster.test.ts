import { type Cluster, sharedCluster } from '../../support/cluster/cluster';
import { ref } from '../../support/cluster/objects';
import type { Behaviour } from './fake-issuer';
import { changes, changesOf, createMesh, type RotatedMesh } from './rotated-mesh';

let cluster: Cluster;
let mesh: RotatedMesh;
beforeAll(async () => {
  cluster = await sharedCluster();
  mesh = await createMesh(cluster);
});
afterAll(() => mesh?.remove());

test('a run with wrong flags reports them all, and changes nothing', async () => {
  const result = await changesOf(mesh, { args: ['rotate', '--unit=identity'], flags: ['--renewal-timeout=soon'] });
  expect(result).toMatchObject({ code: 2, renewed: [], rolled: {} });
});

describe('a run completes the units before a failure, and does not touch those after it,', () => {
  test.each<[Behaviour, string, string, number?]>([
    ['fail', 'RenewalFailed', 'the signer refused', 3],
    ['mix up keys', 'CertificateUnusable', 'tls.key is not the key of tls.crt'],
  ])('when a Certificate in the middle makes cert-manager %s', async (behaviour, reason, text, expected = 1) => {
    mesh.issuer.behave('linkerd-policy-validator', behaviour);
    const { code, logs, renewed, rolled } = await changesOf(mesh, { flags: ['--renewal-timeout=2s'] });
    mesh.issuer.behave('linkerd-policy-validator', 'issue');

    expect(code).toBe(expected);
    expect(rolled).toEqual({ 'linkerd-identity': 1, 'linkerd-proxy-injector': 1 });
    expect(renewed).toEqual(expect.arrayContaining(['linkerd-identity-issuer', 'linkerd-sp-validator']));
    expect(renewed).not.toContain('tap');
    expect(logs.at(-1)).toMatchObject({
      level: 'error',
      msg: 'the rotation stopped',
      object: `Certificate ${mesh.namespace}/linkerd-policy-validator`,
      reason,
      error: expect.stringContaining(text),
      done: 2,
      untouched: [`${mesh.extension}/tap`],
    });
    expect(await mesh.events('Certificate', 'linkerd-policy-validator')).toContainEqual(
      expect.stringMatching(new RegExp(`^${reason}: The rotation of certificates stopped: .*\\(1\\)$`)),
    );
  });
});

describe('a run does not restart identity', () => {
  const untouched = { code: 1, rolled: {} };

  test('with an issuer that chains to no trust root', async () => {
    mesh.issuer.behave('linkerd-identity-issuer', 'sign with a stranger');
    const { logs, ...result } = await changesOf(mesh);
    expect(result).toMatchObject({ ...untouched, renewed: ['linkerd-identity-issuer'] });
    expect(logs.at(-1)).toMatchObject({
      reason: 'UntrustedIssuer',
      error: expect.stringContaining('it is signed by "CN=root.elsewhere"'),
    });
    expect(await mesh.events('Certificate', 'linkerd-identity-issuer')).toEqual([
      expect.stringMatching(/^UntrustedIssuer: /),
    ]);
    mesh.issuer.behave('linkerd-identity-issuer', 'issue');
  });

  test('without trust roots', async () => {
    const roots = ref('v1', 'ConfigMap', 'linkerd-identity-trust-roots', mesh.namespace);
    await cluster.delete(roots);
    expect(await changesOf(mesh)).toMatchObject(untouched);
    await cluster.apply({ ...roots, data: { 'ca-bundle.crt': mesh.issuer.anchor } });
  });

  test('while its Deployment is paused, and does not renew its certificate', async () => {
    const identity = ref('apps/v1', 'Deployment', 'linkerd-identity', mesh.namespace);
    await cluster.patch(identity, { spec: { paused: true } });
    const { logs, ...result } = await changesOf(mesh);
    await cluster.patch(identity, { spec: { paused: false } });
    expect(result).toMatchObject({ ...untouched, renewed: [] });
    expect(logs.at(-1)).toMatchObject({ reason: 'DeploymentPaused' });
  });
});

describe('before it changes a unit, a run reports as missing', () => {
  async function rotateUnit(unit: string) {
    const roles = {
      kind: 'Role',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'all', namespace: mesh.namespace },
    };
    const rules = [{ apiGroups: ['', 'apps', 'cert-manager.io'], resources: ['*'], verbs: ['*'] }];
    await cluster.apply({ ...roles, rules });
    await cluster.apply({
      ...roles,
      kind: 'RoleBinding',
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'all' },
      subjects: [{ kind: 'ServiceAccount', name: 'linkerd-restarter', namespace: mesh.namespace }],
    });
    const result = await changesOf(mesh, { args: ['rotate', `--unit=${mesh.namespace}/${unit}`] });
    await cluster.delete({ ...roles, kind: 'RoleBinding' });
    return { ...result, last: result.logs.at(-1) };
  }

  test('a Deployment', async () => {
    const { code, renewed, last } = await rotateUnit('ghost=linkerd-sp-validator');
    expect({ code, renewed }).toEqual({ code: 1, renewed: [] });
    expect(last).toMatchObject({ object: `Deployment ${mesh.namespace}/ghost`, reason: 'DeploymentMissing' });
    expect(await mesh.events('Deployment', 'ghost')).toEqual([expect.stringMatching(/^DeploymentMissing: /)]);
  });

  test('a Certificate, even the last one', async () => {
    const { code, renewed, rolled, last } = await rotateUnit('linkerd-destination=linkerd-sp-validator,ghost');
    expect({ code, renewed, rolled }).toEqual({ code: 1, renewed: [], rolled: {} });
    expect(last).toMatchObject({ reason: 'CertificateMissing', error: 'its Certificate ghost does not exist' });
    expect(await mesh.events('Deployment', 'linkerd-destination')).toContainEqual(
      expect.stringMatching(/^CertificateMissing: /),
    );
  });
});

test('a run ends at once on SIGTERM, and logs its progress', async () => {
  mesh.issuer.behave('linkerd-identity-issuer', 'ignore');
  const before = await mesh.generations();
  const process = mesh.start();
  await cluster.eventually(() => expect(process.stderr()).toContain('requested a new certificate'));
  const { code, logs } = await process.kill('SIGTERM');
  expect(changes(before, await mesh.generations())).toEqual({ renewed: [], rolled: {} });
  mesh.issuer.behave('linkerd-identity-issuer', 'issue');

  expect(code).toBe(1);
  expect(logs.at(-1)).toMatchObject({ reason: 'RotationInterrupted', error: 'SIGTERM', done: 0 });
  expect(await mesh.events('Deployment', 'linkerd-identity')).toContainEqual(
    expect.stringMatching(/^RotationInterrupted: /),
  );
});
