import { ApiObject } from 'cdk8s';
import { shapedConfig } from '#lib/constructs/meshing/config/config-shape';
import type { MeshConfig } from '#lib/constructs/meshing/config/mesh-config';
import { ruleFindingsIn } from '#test/support/findings';
import { mesh } from '../fixture';

const untyped = (config: unknown) => config as MeshConfig;

test('the check of types accepts a proxy configuration of the declared types', () => {
  const config: MeshConfig = {
    opaquePorts: [],
    skipSubnets: undefined,
    debugSidecar: { pullPolicy: 'Never' },
    proxy: { image: { name: 'a', pullPolicy: 'Always' }, accessLog: 'json', env: [{ name: 'A' }] },
  };
  expect(shapedConfig(config)).toEqual({ config, problems: [] });
});

test.each<[object, field: string, form?: 'list' | 'map']>([
  [{ opaquePorts: '3306' }, 'opaquePorts', 'list'],
  [{ skipSubnets: '10.0.0.0/8' }, 'skipSubnets', 'list'],
  [{ podInboundPorts: 5 }, 'podInboundPorts', 'list'],
  [{ proxy: 5 }, 'proxy', 'map'],
  [{ proxy: { cpu: '100m' } }, 'proxy.cpu', 'map'],
  [{ proxy: { env: { A: '1' } } }, 'proxy.env', 'list'],
  [{ proxy: { logFormat: 'xml' } }, 'proxy.logFormat'],
  [{ proxy: { accessLog: 'combined' } }, 'proxy.accessLog'],
  [{ proxy: { image: { pullPolicy: 'always' } } }, 'proxy.image.pullPolicy'],
  [{ defaultInboundPolicy: 'nobody' }, 'defaultInboundPolicy'],
])('the proxy configuration %j of a namespace or a workload is one problem: %s', (config, field, ...[form]) => {
  const parameters = form === undefined ? { field } : { field, form };
  const problem = { code: 'setting-refused', parameters };
  const { chart, meshing } = mesh();
  meshing.namespace('shop', untyped(config));
  expect(ruleFindingsIn(chart)).toMatchObject([problem]);
  const other = mesh();
  const pod = { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'a', image: 'a' }] } };
  other.meshing.inject(new ApiObject(other.chart, 'pod', pod), untyped(config));
  expect(ruleFindingsIn(other.chart)).toMatchObject([problem]);
});
