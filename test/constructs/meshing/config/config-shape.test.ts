import { ApiObject } from 'cdk8s';
import { shapedConfig } from '../../../../lib/constructs/meshing/config/config-shape';
import type { MeshConfig } from '../../../../lib/constructs/meshing/config/mesh-config';
import { mesh, problemsOf } from '../fixture';

const untyped = (config: unknown) => config as MeshConfig;

test('what is declared stays as it is', () => {
  const config: MeshConfig = {
    opaquePorts: [],
    skipSubnets: undefined,
    debugSidecar: { pullPolicy: 'Never' },
    proxy: { image: { name: 'a', pullPolicy: 'Always' }, accessLog: 'json', env: [{ name: 'A' }] },
  };
  expect(shapedConfig(config)).toEqual({ config, problems: [] });
});

test.each([
  [{ opaquePorts: '3306' }, 'opaquePorts is "3306"'],
  [{ skipSubnets: '10.0.0.0/8' }, 'skipSubnets is "10.0.0.0/8"'],
  [{ podInboundPorts: 5 }, 'podInboundPorts is 5'],
  [{ proxy: 5 }, 'proxy is 5'],
  [{ proxy: { cpu: '100m' } }, 'proxy.cpu is "100m"'],
  [{ proxy: { env: { A: '1' } } }, 'proxy.env is {"A":"1"}'],
  [{ proxy: { logFormat: 'xml' } }, 'proxy.logFormat is "xml"'],
  [{ proxy: { accessLog: 'combined' } }, 'proxy.accessLog is "combined"'],
  [{ proxy: { image: { pullPolicy: 'always' } } }, 'proxy.image.pullPolicy is "always"'],
  [{ defaultInboundPolicy: 'nobody' }, 'defaultInboundPolicy is "nobody"'],
])('%j is one problem, of a namespace as of a workload', (config, what) => {
  const { chart, meshing } = mesh();
  meshing.namespace('shop', untyped(config));
  expect(problemsOf(chart)).toEqual([expect.stringContaining(what)]);
  const other = mesh();
  const pod = { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'a', image: 'a' }] } };
  other.meshing.inject(new ApiObject(other.chart, 'pod', pod), untyped(config));
  expect(problemsOf(other.chart)).toEqual([expect.stringContaining(what)]);
});
