import { App } from 'cdk8s';
import { parse } from 'yaml';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { Meshing } from '#lib/constructs/meshing/meshing';
import { Clients } from '#lib/constructs/policy/clients';
import { Cluster } from '#lib/gitops/tree/cluster';
import { manifest } from '#lib/gitops/tree/manifest';
import { synthCluster } from '../../support/synth-cluster';
import { deployment } from './fixture';

/** A Namespace written by hand, with policies on a workload. */
function shop() {
  const cluster = new Cluster(new App(), 'home', {});
  const { controlPlane } = new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'install' }, viz: false });
  const meshing = new Meshing(cluster, 'meshing', { controlPlane });
  manifest(cluster, 'shop', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', annotations: { 'linkerd.io/inject': 'enabled' } },
  });
  const api = deployment(cluster, 'api', { namespace: 'shop' });
  const web = deployment(cluster, 'web', { namespace: 'shop', container: { ports: [] } });
  meshing.inject(web);
  meshing.allow(api, { from: [web, Clients.networks('10.0.0.0/8')], requests: [{ path: '/a' }] });
  return synthCluster(cluster);
}

test('policies that admit clients precede those that deny, and both precede workloads', () => {
  const { files, findings, inventory } = shop();
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const waveOf = (path: string) => {
    const { metadata } = parse(files.get(`shop/${path}.yaml`) ?? '') as {
      metadata: { annotations?: Record<string, string> };
    };
    return Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
  };
  const authorized = waveOf('authorizationpolicy.api-http-a');
  expect(waveOf('meshtlsauthentication.api-http-a')).toBe(authorized);
  expect(waveOf('httproute.policy.linkerd.io.api-http-a')).toBe(authorized);
  expect(waveOf('namespace.shop')).toBeLessThan(authorized);
  expect(authorized).toBeLessThan(waveOf('server.api-http'));
  expect(waveOf('server.api-http')).toBeLessThan(waveOf('deployment.api'));
  expect(waveOf('deployment.api')).toBeLessThanOrEqual(waveOf('deployment.web'));
  // A fleet syncs folder after folder: the webhook that validates policies must exist first.
  const stages = new Map(inventory.folders.map(({ namespace, stage }) => [namespace, stage]));
  expect(stages.get('shop')).toBeGreaterThan(stages.get('linkerd') ?? Number.NaN);
});
