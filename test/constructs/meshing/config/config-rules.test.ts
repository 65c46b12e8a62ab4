import { Duration } from 'cdk8s';
import type { Values } from '#base/values';
import { checkMeshConfig } from '#lib/constructs/meshing/config/config-rules';
import type { MeshConfig } from '#lib/constructs/meshing/config/mesh-config';
import type { ProxyConfig, ProxyPorts } from '#lib/constructs/meshing/config/proxy-config';
import { facts } from '#test/support/findings';

const EDGE = { release: 'edge-26.8.3' } as const;
const STABLE = { release: 'stable-2.14.10' } as const;

const findingsOf = (config: MeshConfig, mesh: Parameters<typeof checkMeshConfig>[1]) =>
  checkMeshConfig(config, mesh).map((problem) => facts(problem).finding);

test('synth accepts a full proxy configuration', () => {
  const config: MeshConfig = {
    opaquePorts: [3306],
    skipOutboundPorts: ['4000-4100'],
    skipSubnets: ['10.0.0.0/8'],
    traceAttributes: { 'deployment.environment': 'prod' },
    proxy: {
      cpu: { request: '100m', limit: '1' },
      cpuRatioLimit: 0.5,
      uid: 2102,
      gid: 2103,
      logLevel: 'warn,linkerd=info',
      shutdownGracePeriod: Duration.minutes(2),
      discoveryCacheTimeout: { inbound: Duration.seconds(90) },
      ports: { admin: 4191 },
    },
  };
  expect(checkMeshConfig(config, EDGE)).toEqual([]);
});

const OK = Duration.seconds(1);
const both = (inbound: Duration, outbound: Duration) => ({ inbound, outbound });

test.each<[MeshConfig, finding: string, field: string]>([
  [{ opaquePorts: [0] }, 'port-refused/number', 'opaquePorts[0]'],
  [{ skipInboundPorts: [-1] }, 'port-refused/number', 'skipInboundPorts[0]'],
  [{ skipOutboundPorts: ['9-5'] }, 'port-refused/range', 'skipOutboundPorts[0]'],
  [{ podInboundPorts: [8080] }, 'setting-unsupported/pod-ports', 'podInboundPorts'],
  [{ skipSubnets: ['10.0.0.0'] }, 'address-refused/skipped-subnet', 'skipSubnets[0]'],
  [{ proxy: { cpu: { limit: 'much' } } }, 'quantity-refused/invalid', 'proxy.cpu.limit'],
  [{ proxy: { memory: { limit: '64m' } } }, 'quantity-refused/fraction', 'proxy.memory.limit'],
  [{ proxy: { ephemeralStorage: { request: '1.5' } } }, 'quantity-refused/fraction', 'proxy.ephemeralStorage.request'],
  [{ proxy: { logLevel: 'verbose' } }, 'log-filter-refused', 'proxy.logLevel'],
  [{ proxy: { shutdownGracePeriod: Duration.millis(0.5) } }, 'duration-refused/go', 'proxy.shutdownGracePeriod'],
  [
    { proxy: { connectTimeout: both(Duration.millis(0.5), OK) } },
    'duration-refused/go',
    'proxy.connectTimeout.inbound',
  ],
  [
    { proxy: { connectTimeout: both(OK, Duration.millis(0.5)) } },
    'duration-refused/go',
    'proxy.connectTimeout.outbound',
  ],
  [{ proxy: { ports: { admin: 0 } } }, 'port-refused/number', 'proxy.ports.admin'],
  [{ proxy: { image: { name: 'cr.l5d.io/linkerd/Proxy' } } }, 'injected-value-refused/text', 'proxy.image.name'],
  [{ proxy: { image: { version: 'edge 26' } } }, 'injected-value-refused/text', 'proxy.image.version'],
  [{ debugSidecar: { name: 'debug:1' } }, 'injected-value-refused/text', 'debugSidecar.name'],
  [{ traceAttributes: { a: 'b\nc' } }, 'injected-value-refused/text', 'traceAttributes.a'],
  [{ proxy: { initImage: { name: 'init' } } }, 'setting-unsupported/init-image', 'proxy.initImage'],
])('synth refuses the proxy configuration %j: %s of %s', (config, finding, field) =>
  expect(checkMeshConfig(config, EDGE).map(facts)).toMatchObject([{ finding, field }]),
);

test('synth refuses equal ports of a proxy', () =>
  expect(checkMeshConfig({ proxy: { ports: { admin: 4190 } } }, EDGE).map(facts)).toMatchObject([
    {
      finding: 'injected-value-refused/ports-equal',
      fields: 'proxy.ports.admin and proxy.ports.control of the mesh',
      port: 4190,
    },
  ]));

test.each([0, 1, 2])('synth refuses a CPU share of %d for proxies', (ratio) =>
  expect(checkMeshConfig({ proxy: { cpuRatioLimit: ratio } }, EDGE)).toMatchObject([
    { code: 'setting-refused', parameters: { ratio } },
  ]),
);

test.each<[string, number, ProxyConfig]>([
  ['proxy.closeWaitTimeout', 1500, { closeWaitTimeout: Duration.millis(1500) }],
  ['proxy.discoveryCacheTimeout.inbound', 1, { discoveryCacheTimeout: { inbound: Duration.millis(1) } }],
  ['proxy.discoveryCacheTimeout.outbound', 1, { discoveryCacheTimeout: { outbound: Duration.millis(1) } }],
  ['proxy.waitBeforeExit', 1500, { nativeSidecar: false, waitBeforeExit: Duration.millis(1500) }],
])('synth refuses %s of %d ms, which must be whole seconds', (field, milliseconds, proxy) =>
  expect(checkMeshConfig({ proxy }, EDGE)).toMatchObject([
    { code: 'setting-refused', parameters: { field, milliseconds, seconds: Math.ceil(milliseconds / 1000) } },
  ]),
);

test('synth refuses native sidecars that wait before they end', () =>
  expect(checkMeshConfig({ proxy: { waitBeforeExit: Duration.seconds(5) } }, EDGE)).toMatchObject([
    { code: 'setting-refused', cause: 'wait', parameters: { wait: '5 seconds' } },
  ]));

test.each([
  ['uid', 0],
  ['gid', 1.5],
  ['uid', 2 ** 31],
])('synth refuses a proxy that runs as %s %d', (field, value) =>
  expect(checkMeshConfig({ proxy: { [field]: value } }, EDGE)).toMatchObject([
    { code: 'control-plane-value-refused', parameters: { path: `proxy.${field}`, value } },
  ]),
);

test('synth refuses a trace attribute whose name cannot be part of an annotation key', () =>
  expect(checkMeshConfig({ traceAttributes: { 'a b': 'c' } }, EDGE)).toHaveLength(1));

test.each<[MeshConfig, string, string]>([
  [{ proxy: { gid: 2103 } }, 'proxy.gid', '2103'],
  [{ proxy: { env: [] } }, 'proxy.env', '[]'],
  [{ proxy: { cpuRatioLimit: 0.5 } }, 'proxy.cpuRatioLimit', '0.5'],
  [{ proxy: { nativeSidecar: true } }, 'proxy.nativeSidecar', 'true'],
  [{ defaultInboundPolicy: 'audit' }, 'defaultInboundPolicy', '"audit"'],
  [{ traceAttributes: { a: 'b' } }, 'traceAttributes', '{"a":"b"}'],
])('synth refuses %j for 2.14', (config, field, value) => {
  expect(checkMeshConfig(config, STABLE)).toMatchObject([
    { code: 'setting-unsupported', parameters: { field, value, version: 'stable-2.14.10' } },
  ]);
  expect(checkMeshConfig(config, EDGE)).toEqual([]);
});

test('synth accepts settings that only 2.14 has', () =>
  expect(
    checkMeshConfig(
      {
        defaultInboundPolicy: 'deny',
        proxy: { waitBeforeExit: Duration.seconds(5), nativeSidecar: false, initImage: { name: 'init' } },
      },
      STABLE,
    ),
  ).toEqual([]));

test('synth reports all problems of a proxy configuration', () =>
  expect(checkMeshConfig({ opaquePorts: [0, -1], proxy: { uid: 0, logLevel: '' } }, EDGE)).toHaveLength(4));

test('synth accepts no wait of a native sidecar', () =>
  expect(checkMeshConfig({ proxy: { waitBeforeExit: Duration.seconds(0), nativeSidecar: true } }, EDGE)).toEqual([]));

test('synth accepts waitBeforeExit where the control plane has native sidecars off', () =>
  expect(
    checkMeshConfig({ proxy: { waitBeforeExit: Duration.seconds(5) } }, { ...EDGE, nativeSidecars: false }),
  ).toEqual([]));

describe('with the values of the control plane,', () => {
  const mesh = (effectiveValues: Values) => ({ ...EDGE, effectiveValues });
  const closeWait: MeshConfig = { proxy: { closeWaitTimeout: Duration.seconds(30) } };

  test('synth accepts closeWaitTimeout only with an init container that runs as root', () => {
    expect(checkMeshConfig(closeWait, mesh({ proxyInit: { runAsRoot: false } }))).toHaveLength(1);
    expect(checkMeshConfig(closeWait, mesh({ proxyInit: { runAsRoot: true } }))).toEqual([]);
    expect(findingsOf(closeWait, mesh({ cniEnabled: true }))).toEqual(['setting-refused/close-wait-cni']);
    expect(checkMeshConfig(closeWait, EDGE)).toEqual([]);
  });

  test('synth refuses ports of the proxy to which the CNI plugin does not redirect traffic', () => {
    const cni = mesh({ cniEnabled: true, proxy: { ports: { inbound: 4143, outbound: 4140 } } });
    const moved = (ports: ProxyPorts) => findingsOf({ proxy: { ports } }, cni);
    expect(moved({ inbound: 5143, outbound: 5140 })).toEqual(['setting-refused/cni-port', 'setting-refused/cni-port']);
    expect(moved({ inbound: 4143, admin: 5191 })).toEqual([]);
  });

  test('synth refuses a port that the mesh already uses for another purpose', () => {
    const moved = mesh({ proxy: { ports: { admin: 5191, control: 5190, inbound: 5143, outbound: 5140 } } });
    expect(checkMeshConfig({ proxy: { ports: { admin: 4190 } } }, moved)).toEqual([]);
    expect(checkMeshConfig({ proxy: { ports: { admin: 5190 } } }, moved)).toHaveLength(1);
    expect(checkMeshConfig({ proxy: { ports: { admin: 5190, control: 5192 } } }, moved)).toEqual([]);
  });
});
