import { dependsOn, ensureNamespace, LinkerdCni, LinkerdCrds, MultusAttach } from '../../lib';
import {
  type Attempt,
  type Build,
  type Expected,
  exactly,
  hours,
  mesh,
  rightPlatform,
} from '../support/bad-input-fixture';

const { refused } = rightPlatform();
const right: Build = (cluster) => mesh(cluster);

const CLUSTERS: readonly (readonly [string, Attempt, Expected])[] = [
  ['no repository', { props: { repoUrl: '' } }, { at: 'argocd', code: 'repository-refused' }],
  [
    'a repository without a scheme',
    { props: { repoUrl: 'git.example.com/platform' } },
    { at: 'argocd', code: 'repository-refused', parameters: { url: 'git.example.com/platform' } },
  ],
  [
    'a password in the URL of the repository, which is not shown again',
    { props: { repoUrl: 'https://ci:hunter2@git.example.com/platform.git' } },
    {
      at: 'argocd',
      code: 'credentials-found',
      cause: 'url',
      parameters: { field: 'repoUrl', credentials: 'a password' },
    },
  ],
  [
    'a path that Argo CD does not find',
    { props: { path: '/dist/' } },
    { at: 'argocd', code: 'repository-refused', parameters: { path: '/dist/', example: 'dist' } },
  ],
  [
    "a cluster that is called like the folder of Argo CD's own objects",
    { others: { argocd: right } },
    { at: 'argocd', code: 'cluster-name-taken', parameters: { name: 'argocd' } },
  ],
  [
    'a cluster whose name is no folder',
    { others: { '../home': right } },
    {
      at: '../home',
      code: 'name-invalid',
      parameters: { value: '"../home"', proposed: 'home' },
    },
  ],
  [
    'two clusters at one destination',
    { cluster: { destination: { name: 'stable' } }, others: { stable: right } },
    {
      at: 'argocd',
      code: 'destination-refused',
      parameters: { one: 'home', other: 'stable', destination: 'stable' },
    },
  ],
  [
    'a destination that Argo CD reads as a pattern',
    { cluster: { destination: { name: 'home-*' } } },
    { at: 'argocd', code: 'destination-refused', parameters: { cluster: 'home', field: 'name', value: 'home-*' } },
  ],
];

test.each(CLUSTERS)('%s', (_, attempt, expected) => {
  expect(refused(right, attempt)).toEqual(exactly(expected));
});

test('two clusters of one name', () => {
  // The second one is empty: else each of its folders would clash as well.
  const cluster = { destination: { name: 'first-home' } };
  expect(refused(right, { cluster, others: { home: () => {} } })).toEqual(
    exactly({
      at: 'home',
      code: 'cluster-name-taken',
      parameters: { name: 'home', owner: 'another cluster' },
    }),
  );
});

const PARTS: readonly (readonly [string, Build, Expected])[] = [
  [
    'CRDs of another release',
    (cluster) => {
      const crds = new LinkerdCrds(cluster, 'crds', { version: 'stable-2.14.10' });
      mesh(cluster, { controlPlane: { crds } });
    },
    {
      at: 'home/linkerd',
      code: 'component-release-differs',
      parameters: { component: 'crds', other: 'stable-2.14.10', own: 'edge-26.8.3' },
    },
  ],
  [
    'a CNI plugin of another release',
    (cluster) => {
      const cni = new LinkerdCni(cluster, 'cni', { version: 'stable-2.14.10' });
      mesh(cluster, { controlPlane: { cni } });
    },
    {
      at: 'home/linkerd',
      code: 'component-release-differs',
      parameters: { component: 'cni', other: 'stable-2.14.10', own: 'edge-26.8.3' },
    },
  ],
  [
    'images of another release',
    (cluster) => mesh(cluster, { controlPlane: { values: { linkerdVersion: 'stable-2.14.10' } } }),
    {
      at: 'home/linkerd',
      code: 'component-release-differs',
      parameters: { component: 'values.linkerdVersion', other: 'stable-2.14.10', own: 'edge-26.8.3' },
    },
  ],
  [
    'Multus without a CNI plugin',
    (cluster) => {
      new MultusAttach(cluster, 'multus', { controlPlane: mesh(cluster).controlPlane, namespaces: ['shop'] });
    },
    { at: 'home/multus', code: 'multus-without-cni' },
  ],
  [
    "an operator in the control plane's namespace",
    (cluster) => {
      const { controlPlane } = mesh(cluster, { controlPlane: { cni: new LinkerdCni(cluster, 'cni') } });
      new MultusAttach(cluster, 'multus', { controlPlane, namespaces: ['shop'], operatorNamespace: 'linkerd' });
    },
    {
      at: 'home/multus',
      code: 'operator-namespace-taken',
      parameters: { field: 'operatorNamespace', namespace: 'linkerd', owner: 'control plane' },
    },
  ],
  [
    'two owners of one annotation of a namespace',
    (cluster) => {
      mesh(cluster);
      ensureNamespace(cluster, 'linkerd', { annotations: { 'linkerd.io/inject': 'enabled' } });
    },
    {
      at: 'home',
      code: 'namespace-metadata-contested',
      parameters: { namespace: 'linkerd', key: 'linkerd.io/inject', value: 'enabled', other: 'disabled' },
    },
  ],
  [
    'components that wait for each other',
    (cluster) => {
      const { certManager, controlPlane } = mesh(cluster);
      dependsOn(certManager, controlPlane);
    },
    {
      at: 'home/cert-manager',
      code: 'dependency-cycle',
      parameters: { cycle: 'home/cert-manager -> home/linkerd -> home/pki -> home/cert-manager' },
    },
  ],
];

test.each(PARTS)('%s', (_, build, expected) => {
  expect(refused(build)).toEqual(exactly(expected));
});

test('all mistakes of all clusters are in one error', () => {
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

test('an exception says what it was and where, and hides nothing that is wrong beside it', () => {
  const problems = refused((cluster) => {
    mesh(cluster, { pki: { webhooks: hours(24, 24) } });
    throw new TypeError('teams is not iterable');
  });
  expect(problems).toMatchObject([
    {
      path: 'home',
      code: 'build-failed',
      parameters: { error: expect.stringMatching(/^TypeError: teams is not iterable \(at .*platform\.test\.ts/) },
    },
    { path: 'home/pki', code: 'validity-refused', parameters: { certificate: 'webhooks', renewBefore: '24h' } },
  ]);
});
