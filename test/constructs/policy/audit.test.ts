import { App } from 'cdk8s';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { LinkerdMesh } from '#lib/constructs/mesh';
import { Meshing } from '#lib/constructs/meshing/meshing';
import { Clients } from '#lib/constructs/policy/clients';
import { authorizedClients } from '#lib/constructs/policy/clients-of';
import type { PortProtocol } from '#lib/constructs/policy/port-policy';
import { Cluster } from '#lib/gitops/tree/cluster';
import { plainObjects } from '../../support/plain-app';
import { synthCluster } from '../../support/synth-cluster';
import { deployment, service, shop } from './fixture';

const PROBED = { readinessProbe: { httpGet: { path: '/ready', port: 'http' } } };

/** Returns the objects that `allow` creates for a workload in a namespace with the mode. */
function objectsIn(mode: 'audit' | 'deny', protocol?: PortProtocol): readonly KubernetesObject[] {
  const { chart, meshing } = shop();
  const api = deployment(chart, 'api', { container: PROBED });
  const web = deployment(chart, 'web', { container: { ports: [] } });
  meshing.defaultDeny('shop', { mode });
  meshing.allow(api, { from: [web, Clients.networks('10.0.0.0/8')], ...(protocol === undefined ? {} : { protocol }) });
  return plainObjects(chart) as KubernetesObject[];
}

const namesOf = (objects: readonly KubernetesObject[], kind: string) =>
  objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

test('an audited port has a route for its clients and a route for probes', () => {
  const objects = objectsIn('audit');
  expect(namesOf(objects, 'HTTPRoute')).toEqual(['api-http-root-all', 'api-http-get-ready']);
  expect(namesOf(objects, 'AuthorizationPolicy').toSorted()).toEqual([
    'api-http',
    'api-http-get-ready',
    'api-http-get-ready-networks',
    'api-http-networks',
    'api-http-root-all',
    'api-http-root-all-networks',
  ]);
});

test('a change from audit to deny keeps all authorizations of permitted clients', () => {
  const [before, after] = [objectsIn('audit'), objectsIn('deny')];
  const others = (objects: readonly KubernetesObject[]) =>
    objects.filter(({ kind }) => kind !== 'Server' && kind !== 'Namespace');
  expect(others(before)).toEqual(expect.arrayContaining([...others(after)]));
});

test('the listed clients of a port are the same in both modes, except audited ones and probes', () => {
  const [before, after] = [objectsIn('audit'), objectsIn('deny')].map(
    (objects) => authorizedClients(objects).get('shop/api-http') ?? [],
  );
  expect(after).toEqual(['anyone from 10.0.0.0/8', 'service account shop/web']);
  expect(before?.filter((client) => client !== 'anyone else, audited' && !client.endsWith('(GET /ready)'))).toEqual(
    after,
  );
});

test.each<[PortProtocol, readonly string[]]>([
  ['unknown', []],
  ['HTTP/1', []],
  ['HTTP/2', []],
  ['opaque', ['audit-inaccurate']],
  ['TLS', ['audit-inaccurate']],
  ['gRPC', ['audit-inaccurate']],
])('an audit of protocol %s has the warnings %p', (protocol, codes) => {
  const cluster = new Cluster(new App(), 'home', {});
  const { controlPlane } = new LinkerdMesh(cluster, 'mesh', { crds: { gatewayApi: 'install' }, viz: false });
  const meshing = new Meshing(cluster, 'meshing', { controlPlane });
  meshing.namespace('shop');
  const web = deployment(cluster, 'web', { namespace: 'shop', container: { ports: [] } });
  meshing.allow(deployment(cluster, 'api', { namespace: 'shop' }), { from: [web], protocol, mode: 'audit' });
  expect(synthCluster(cluster).findings.map(({ problem }) => problem.code)).toEqual([
    'certificate-alerts-missing',
    ...codes,
  ]);
});

test('an audit of pods that synth does not read creates no route for probes', () => {
  const { chart, meshing } = shop();
  meshing.allow(service(chart, 'chart-made'), { from: [Clients.mesh()], mode: 'audit' });
  const objects = plainObjects(chart) as KubernetesObject[];
  expect(namesOf(objects, 'Server')).toEqual(['chart-made-http']);
  expect(namesOf(objects, 'HTTPRoute')).toEqual([]);
});
