import { App } from 'cdk8s';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { LinkerdMesh, type LinkerdMeshProps } from '#lib/constructs/mesh';
import { Meshing } from '#lib/constructs/meshing/meshing';
import { Cluster } from '#lib/gitops/tree/cluster';
import { readTree } from '#lib/gitops/tree/read-tree';
import { reviewConstructs, reviewTree } from '#lib/gitops/tree/review';
import { plainObjects } from '../../support/plain-app';
import { isAllowed } from '../../support/policy/oracle';
import { synthCluster } from '../../support/synth-cluster';
import { deployment, policiesIn, shop } from './fixture';

const PROBED = { readinessProbe: { httpGet: { path: '/ready', port: 'http' } } };
const NODES = ['10.0.0.0/16', 'fd00::/64'];

function synthesized(props: LinkerdMeshProps) {
  const cluster = new Cluster(new App(), 'home', {});
  const { controlPlane } = new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'install' }, viz: false, ...props });
  const meshing = new Meshing(cluster, 'meshing', { controlPlane });
  meshing.namespace('shop');
  const api = deployment(cluster, 'api', { namespace: 'shop', container: PROBED });
  meshing.allow(api, { from: [api], requests: [{ path: '/items' }] });
  const { files, findings } = synthCluster(cluster);
  return {
    controller: files.get('linkerd/deployment.linkerd-destination.yaml') ?? '',
    probes: files.get('shop/networkauthentication.api-http-get-ready-networks.yaml') ?? '',
    codes: findings.map(({ problem }) => problem.code).filter((code) => code !== 'certificate-alerts-missing'),
  };
}

test('Linkerd and routes admit probes from the networks of the nodes', () => {
  const { controller, probes, codes } = synthesized({ nodeNetworks: NODES });
  expect(controller).toContain('--probe-networks=10.0.0.0/16,fd00::/64');
  expect(probes).toContain('cidr: 10.0.0.0/16');
  expect(probes).toContain('cidr: fd00::/64');
  expect(probes).not.toContain('0.0.0.0/0');
  expect(codes).toEqual([]);
});

test('routes admit probes from the networks of nodes in values', () => {
  const { probes, codes } = synthesized({ values: { policyController: { probeNetworks: ['10.0.0.0/16'] } } });
  expect(probes).toContain('cidr: 10.0.0.0/16');
  expect(codes).toEqual([]);
});

test('synth warns of a mesh without networks of nodes, with both deliveries', () => {
  expect(synthesized({}).codes).toEqual(['probe-paths-open']);
  expect(synthesized({ delivery: 'helm' }).codes).toEqual(['probe-paths-open']);
  expect(synthesized({ delivery: 'helm', nodeNetworks: NODES }).codes).toEqual([]);
});

test.each([
  ['an empty list', [], 'control-plane-value-refused'],
  ['a string', '10.0.0.0/16', 'control-plane-value-refused'],
  ['an address without a prefix', ['10.0.0.1'], 'address-refused'],
  ['a list with null', [null], 'address-refused'],
])('synth refuses %s as nodeNetworks of a new or an existing mesh', (_, nodeNetworks, code) => {
  expect(synthesized({ nodeNetworks: nodeNetworks as never }).codes).toContain(code);
  const { chart } = shop({ release: 'edge-26.8.3', nodeNetworks: nodeNetworks as never });
  expect(reviewConstructs(readTree(chart, 'cdk8s')).map(({ problem }) => problem.code)).toContain(code);
});

test('the path of a probe is closed to clients outside of the networks of nodes', () => {
  const { chart, meshing } = shop({ release: 'edge-26.8.3', nodeNetworks: NODES });
  const api = deployment(chart, 'api', { container: PROBED });
  meshing.allow(api, { from: [api], requests: [{ path: '/items' }] });
  meshing.defaultDeny('shop', { mode: 'deny', scrapers: [api] });
  expect(policiesIn(chart)['NetworkAuthentication linkerd-proxy-admin-get-live-networks']?.spec).toEqual({
    networks: NODES.map((cidr) => ({ cidr })),
  });
  const objects = plainObjects(chart) as KubernetesObject[];
  const pod = { namespace: 'shop', labels: { app: 'api' }, probes: { 8080: ['/ready'] }, defaultPolicy: 'deny' };
  const request = { method: 'GET', path: '/ready' };
  expect(isAllowed(objects, pod, { port: 8080, ip: '10.0.3.4', request })).toBe(true);
  expect(isAllowed(objects, pod, { port: 8080, ip: '10.1.3.4', request })).toBe(false);
});

test.each([
  ['deny', ['workload-unreachable']],
  ['all-authenticated', []],
])('synth reads the default policy %s from the values of an existing mesh', (defaultInboundPolicy, codes) => {
  const values = { proxy: { defaultInboundPolicy } };
  const { chart } = shop({ release: 'edge-26.8.3', nodeNetworks: NODES, effectiveValues: values });
  deployment(chart, 'api');
  const found = reviewTree(readTree(chart, 'cdk8s')).map(({ problem }) => problem.code);
  expect(found.filter((code) => code === 'workload-unreachable')).toEqual(codes);
});
