import { Duration } from 'cdk8s';
import { configAnnotations } from '#lib/constructs/meshing/config/config-annotations';
import type { MeshConfig } from '#lib/constructs/meshing/config/mesh-config';
import { releaseOf } from '#linkerd/releases/release';

const both = (inbound: Duration, outbound: Duration) => ({ inbound, outbound });

/** Every setting of edge-26.8.3. */
const ALL: MeshConfig = {
  opaquePorts: [3306],
  skipInboundPorts: [9000, '9100-9200'],
  skipOutboundPorts: [443],
  skipSubnets: ['10.0.0.0/8', 'fd00::/8'],
  defaultInboundPolicy: 'audit',
  externalProfiles: true,
  debugSidecar: { name: 'debug', version: 'v1', pullPolicy: 'Always' },
  traceAttributes: { 'deployment.environment': 'prod' },
  proxy: {
    cpu: { request: '100m', limit: '1' },
    memory: { request: '32Mi', limit: '64Mi' },
    ephemeralStorage: { request: '1Mi', limit: '2Mi' },
    cpuRatioLimit: 0.5,
    image: { name: 'proxy', version: 'v2', pullPolicy: 'Never' },
    uid: 2102,
    gid: 2103,
    logLevel: 'warn',
    logFormat: 'json',
    accessLog: 'apache',
    await: false,
    nativeSidecar: false,
    waitBeforeExit: Duration.seconds(40),
    shutdownGracePeriod: Duration.minutes(2),
    closeWaitTimeout: Duration.hours(1),
    connectTimeout: both(Duration.millis(200), Duration.millis(1500)),
    discoveryCacheTimeout: both(Duration.seconds(90), Duration.seconds(5)),
    unlimitedProtocolDetection: { inbound: true, outbound: false },
    ports: { control: 4190, admin: 4191, inbound: 4143, outbound: 4140 },
    env: [{ name: 'RUST_BACKTRACE', value: '1' }],
  },
};

test('2.14 has the annotation of the ports of a pod', () =>
  expect(configAnnotations({ podInboundPorts: [8080] }, releaseOf('stable-2.14.10'))).toEqual({
    'config.linkerd.io/pod-inbound-ports': '8080',
  }));

test('each setting becomes its annotation', () =>
  expect(configAnnotations(ALL, releaseOf('edge-26.8.3'))).toEqual({
    'config.linkerd.io/opaque-ports': '3306',
    'config.linkerd.io/skip-inbound-ports': '9000,9100-9200',
    'config.linkerd.io/skip-outbound-ports': '443',
    'config.linkerd.io/skip-subnets': '10.0.0.0/8,fd00::/8',
    'config.linkerd.io/default-inbound-policy': 'audit',
    'config.linkerd.io/enable-external-profiles': 'true',
    'config.linkerd.io/enable-debug-sidecar': 'true',
    'config.linkerd.io/debug-image': 'debug',
    'config.linkerd.io/debug-image-version': 'v1',
    'config.linkerd.io/debug-image-pull-policy': 'Always',
    'resource.opentelemetry.io/deployment.environment': 'prod',
    'config.linkerd.io/proxy-cpu-request': '100m',
    'config.linkerd.io/proxy-cpu-limit': '1',
    'config.linkerd.io/proxy-memory-request': '32Mi',
    'config.linkerd.io/proxy-memory-limit': '64Mi',
    'config.linkerd.io/proxy-ephemeral-storage-request': '1Mi',
    'config.linkerd.io/proxy-ephemeral-storage-limit': '2Mi',
    'config.linkerd.io/proxy-cpu-ratio-limit': '0.5',
    'config.linkerd.io/proxy-image': 'proxy',
    'config.linkerd.io/proxy-version': 'v2',
    'config.linkerd.io/image-pull-policy': 'Never',
    'config.linkerd.io/proxy-uid': '2102',
    'config.linkerd.io/proxy-gid': '2103',
    'config.linkerd.io/proxy-log-level': 'warn',
    'config.linkerd.io/proxy-log-format': 'json',
    'config.linkerd.io/access-log': 'apache',
    'config.linkerd.io/proxy-await': 'disabled',
    'config.linkerd.io/proxy-enable-native-sidecar': 'false',
    'config.alpha.linkerd.io/proxy-wait-before-exit-seconds': '40',
    'config.linkerd.io/shutdown-grace-period': '2m',
    'config.linkerd.io/close-wait-timeout': '1h',
    'config.linkerd.io/proxy-inbound-connect-timeout': '200ms',
    'config.linkerd.io/proxy-outbound-connect-timeout': '1s500ms',
    'config.linkerd.io/proxy-inbound-discovery-cache-unused-timeout': '1m30s',
    'config.linkerd.io/proxy-outbound-discovery-cache-unused-timeout': '5s',
    'config.linkerd.io/proxy-disable-inbound-protocol-detect-timeout': 'true',
    'config.linkerd.io/proxy-disable-outbound-protocol-detect-timeout': 'false',
    'config.linkerd.io/control-port': '4190',
    'config.linkerd.io/admin-port': '4191',
    'config.linkerd.io/inbound-port': '4143',
    'config.linkerd.io/outbound-port': '4140',
    'config.linkerd.io/proxy-additional-env': '[{"name":"RUST_BACKTRACE","value":"1"}]',
  }));

test('settings that Linkerd refuses or ignores become no annotations', () => {
  const wrong: MeshConfig = {
    opaquePorts: [0],
    skipSubnets: ['10.0.0.0'],
    proxy: { cpu: { request: '2', limit: '1' }, uid: 0, gid: 2103, logLevel: 'verbose', await: true },
  };
  expect(configAnnotations(wrong, releaseOf('stable-2.14.10'))).toEqual({ 'config.linkerd.io/proxy-await': 'enabled' });
});

test('an empty list overrides the default with an empty annotation', () =>
  expect(configAnnotations({ opaquePorts: [] }, releaseOf('edge-26.8.3'))).toEqual({
    'config.linkerd.io/opaque-ports': '',
  }));

test('the annotations of 2.14 include the image of the init container', () =>
  expect(
    configAnnotations({ proxy: { initImage: { name: 'init', version: 'v1' } } }, releaseOf('stable-2.14.10')),
  ).toEqual({ 'config.linkerd.io/init-image': 'init', 'config.linkerd.io/init-image-version': 'v1' }));

test('the annotations of 2.14 include none for native sidecars', () =>
  expect(configAnnotations({ proxy: { nativeSidecar: false } }, releaseOf('stable-2.14.10'))).toEqual({}));

test.each([
  [true, 'true'],
  [false, 'false'],
])('an annotation sets the debug container to %s', (debugSidecar, text) =>
  expect(configAnnotations({ debugSidecar }, releaseOf('edge-26.8.3'))).toEqual({
    'config.linkerd.io/enable-debug-sidecar': text,
  }),
);
