import { App } from 'cdk8s';
import type { Construct } from 'constructs';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { Meshing } from '#lib/constructs/meshing/meshing';
import { Multicluster } from '#lib/constructs/multicluster/multicluster';
import type { PolicyClient } from '#lib/constructs/policy/clients';
import { Cluster } from '#lib/gitops/tree/cluster';
import { manifest } from '#lib/gitops/tree/manifest';
import { synthCluster } from '../../support/synth-cluster';
import { deployment, serviceAccount } from './fixture';

/** Two clusters, each with a mesh and a workload `web`; the trust domain of the second may be another. */
function clusters({ domain = 'cluster.local', isLinked = false } = {}) {
  const app = new App();
  const [home, west] = [
    { name: 'home', domain: 'cluster.local' },
    { name: 'west', domain },
  ].map(({ name, domain: of }) => {
    const cluster = new Cluster(app, name, { domain: of });
    const { controlPlane } = new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'install' }, viz: false });
    if (isLinked) new Multicluster(cluster, 'multicluster', { controlPlane });
    const meshing = new Meshing(cluster, 'meshing', { controlPlane });
    meshing.namespace('shop');
    const web = deployment(cluster, 'web', { namespace: 'shop' });
    return { cluster, meshing, web };
  });
  if (home === undefined || west === undefined) throw new Error('There are two.');
  return { home, west };
}

function problemsIn(cluster: Cluster) {
  return synthCluster(cluster)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ path, problem: { code, parameters } }) => ({ path, code, parameters }));
}

test('synth refuses a client of another cluster, and names both clusters and the identity of the client', () => {
  const { home, west } = clusters({ domain: 'west.example.com' });
  home.meshing.allow(home.web, { from: [home.web, west.web] });
  expect(problemsIn(home.cluster)).toEqual([
    {
      path: 'home/shopweb',
      code: 'policy-elsewhere',
      parameters: {
        field: 'from[1]',
        client: 'the service account shop/web',
        other: 'west',
        own: 'home',
        identity: "Clients.elsewhere({ trustDomain: 'west.example.com', namespace: 'shop', serviceAccount: 'web' })",
      },
    },
  ]);
});

test('synth refuses a client of another cluster with the same trust domain, and proposes the account', () => {
  const { home, west } = clusters({ isLinked: true });
  home.meshing.allow(home.web, { from: [west.web] });
  expect(problemsIn(home.cluster)).toMatchObject([
    {
      code: 'policy-elsewhere',
      parameters: {
        identity:
          "Clients.serviceAccount({ namespace: 'shop', name: 'web' }), which both clusters have, because they share the trust domain cluster.local",
      },
    },
  ]);
});

test.each<[string, (cluster: Cluster) => Construct, string]>([
  [
    'a ServiceAccount',
    (cluster) => serviceAccount(cluster, 'bot', 'jobs'),
    "Clients.elsewhere({ trustDomain: 'west.example.com', namespace: 'jobs', serviceAccount: 'bot' })",
  ],
  [
    'a Namespace',
    (cluster) => manifest(cluster, 'jobs', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'jobs' } }),
    "Clients.elsewhere({ trustDomain: 'west.example.com', namespace: 'jobs' })",
  ],
])('synth refuses %s of another cluster as a client, a scraper or in a rate limit', (_, make, identity) => {
  const ask = (call: (meshing: Meshing, web: Construct, client: PolicyClient) => void) => {
    const { home, west } = clusters({ domain: 'west.example.com' });
    call(home.meshing, home.web, make(west.cluster) as PolicyClient & Construct);
    return problemsIn(home.cluster);
  };
  const refused = [{ code: 'policy-elsewhere', parameters: { identity } }];
  expect(ask((meshing, web, client) => meshing.allow(web as never, { from: [client] }))).toMatchObject(refused);
  expect(ask((meshing, _web, client) => meshing.defaultDeny('shop', { scrapers: [client] }))).toMatchObject(refused);
  expect(
    ask((meshing, web, client) =>
      meshing.limitRequests(web as never, { total: 9, overrides: [{ clients: [client], perClient: 1 }] }),
    ),
  ).toMatchObject(refused);
});

test('synth refuses a target of another cluster, and reports it in the cluster of the policy', () => {
  const { home, west } = clusters();
  home.meshing.allow(west.web, { from: [] });
  home.meshing.limitRequests(west.web, { total: 9 });
  const problems = problemsIn(home.cluster);
  expect(problems).not.toHaveLength(0);
  for (const problem of problems) {
    expect(problem).toEqual({
      path: 'home/linkerd-policies',
      code: 'policy-elsewhere',
      parameters: { own: 'home', path: 'west/shopweb', other: 'west' },
    });
  }
  expect(problemsIn(west.cluster)).toEqual([]);
});
