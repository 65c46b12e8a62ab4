import { type Cluster, ensureNamespace } from '#lib';
import { type Build, exactly, hours, mesh, rightPlatform } from '../support/bad-input-fixture';

const { refused } = rightPlatform();

test('synth refuses an asynchronous builder', () => {
  const later = async (cluster: Cluster) => {
    await Promise.resolve();
    mesh(cluster);
  };
  expect(refused(later)).toEqual(exactly({ at: 'home', code: 'cluster-built-async' }));
});

test('an asynchronous builder that fails later causes no unhandled rejection', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const failing = async () => {
    await Promise.resolve();
    throw new Error('too late');
  };
  expect(refused(failing)).toHaveLength(1);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test('synth refuses a builder that adds nothing', () => {
  expect(refused(() => {})).toEqual(exactly({ at: 'home', code: 'cluster-empty' }));
});

test('synth reports all mistakes of all clusters in one error', () => {
  const stable: Build = (cluster) => {
    mesh(cluster, { pki: { trustDomain: 'Mesh', trustAnchor: { ...hours(8760, 7320), rotation: 'manual' } } });
    throw new Error('no such file: teams.json');
  };
  const home: Build = (cluster) => {
    mesh(cluster, {
      pki: { webhooks: hours(24, 24) },
      controlPlane: { values: { identityTrustDomain: 'example.org', linkerdVersion: 'stable-2.14.10' } },
    });
    ensureNamespace(cluster, 'linkerd', { annotations: { 'linkerd.io/inject': 'enabled' } });
  };
  const problems = refused(home, { others: { stable }, props: { repoUrl: 'git.example.com' } });
  expect(problems).toMatchObject([
    { path: 'home', code: 'namespace-metadata-contested', parameters: { key: 'linkerd.io/inject' } },
    { path: 'home/pki', code: 'validity-refused', parameters: { certificate: 'webhooks' } },
    { path: 'home/linkerd', code: 'component-release-differs', parameters: { component: 'values.linkerdVersion' } },
    {
      path: 'home/linkerd/chart',
      code: 'value-contradicts-prop',
      parameters: { path: 'identityTrustDomain', value: '"example.org"' },
    },
    { path: 'home/linkerd/linkerd-proxy-injector/certificate', code: 'certificate-refused', cause: 'window' },
    { path: 'stable', code: 'build-failed', cause: 'building' },
    { path: 'stable/pki', code: 'name-invalid', parameters: { field: 'trustDomain', value: '"Mesh"' } },
    { path: 'stable/pki', code: 'validity-refused', parameters: { renewBefore: '7320h (305 days)' } },
    { path: 'argocd', code: 'repository-refused', cause: 'url', parameters: { url: 'git.example.com' } },
  ]);
});
