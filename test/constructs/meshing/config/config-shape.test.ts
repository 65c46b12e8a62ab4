import { ApiObject } from 'cdk8s';
import { shapedConfig } from '#lib/constructs/meshing/config/config-shape';
import type { MeshConfig } from '#lib/constructs/meshing/config/mesh-config';
import { ruleFindingsIn } from '#test/support/findings';
import { mesh } from '../fixture';

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
  [
    { opaquePorts: '3306' },
    { code: 'setting-refused', parameters: { field: 'opaquePorts', value: '"3306"', form: 'list' } },
  ],
  [
    { skipSubnets: '10.0.0.0/8' },
    { code: 'setting-refused', parameters: { field: 'skipSubnets', value: '"10.0.0.0/8"', form: 'list' } },
  ],
  [
    { podInboundPorts: 5 },
    { code: 'setting-refused', parameters: { field: 'podInboundPorts', value: '5', form: 'list' } },
  ],
  [{ proxy: 5 }, { code: 'setting-refused', parameters: { field: 'proxy', value: '5', form: 'map' } }],
  [
    { proxy: { cpu: '100m' } },
    { code: 'setting-refused', parameters: { field: 'proxy.cpu', value: '"100m"', form: 'map' } },
  ],
  [
    { proxy: { env: { A: '1' } } },
    { code: 'setting-refused', parameters: { field: 'proxy.env', value: '{"A":"1"}', form: 'list' } },
  ],
  [
    { proxy: { logFormat: 'xml' } },
    { code: 'setting-refused', parameters: { field: 'proxy.logFormat', value: '"xml"' } },
  ],
  [
    { proxy: { accessLog: 'combined' } },
    { code: 'setting-refused', parameters: { field: 'proxy.accessLog', value: '"combined"' } },
  ],
  [
    { proxy: { image: { pullPolicy: 'always' } } },
    { code: 'setting-refused', parameters: { field: 'proxy.image.pullPolicy', value: '"always"' } },
  ],
  [
    { defaultInboundPolicy: 'nobody' },
    { code: 'setting-refused', parameters: { field: 'defaultInboundPolicy', value: '"nobody"' } },
  ],
])('%j is one problem, of a namespace as of a workload', (config, problem) => {
  const { chart, meshing } = mesh();
  meshing.namespace('shop', untyped(config));
  expect(ruleFindingsIn(chart)).toMatchObject([problem]);
  const other = mesh();
  const pod = { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'a', image: 'a' }] } };
  other.meshing.inject(new ApiObject(other.chart, 'pod', pod), untyped(config));
  expect(ruleFindingsIn(other.chart)).toMatchObject([problem]);
});
