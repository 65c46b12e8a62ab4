import { LinkerdCni, LinkerdCrds, Prometheus, Viz, type VizProps } from '../../lib';
import {
  type Build,
  type Expected,
  expectFirst,
  type Mistakes,
  mesh,
  rightPlatform,
} from '../support/bad-input-fixture';

const { refused } = rightPlatform();

const IDENTITY = { serviceAccountName: 'tempo', namespace: 'tracing' };

const controlPlane = (values: NonNullable<Mistakes['controlPlane']>['values']): Build => {
  return (cluster) => mesh(cluster, { controlPlane: { values } });
};
const viz = (props: Partial<VizProps<'edge-26.8.3'>>): Build => {
  return (cluster) =>
    new Viz(cluster, 'viz', {
      controlPlane: mesh(cluster).controlPlane,
      prometheus: Prometheus.embedded(),
      ...props,
    });
};

/** What types cannot know, or were told to let through. */
const untyped = (values: object) => values as never;

const MISTAKES: readonly (readonly [string, Build, Expected])[] = [
  [
    'PEM anchors together with externalCA',
    controlPlane({ identityTrustAnchorsPEM: '-----BEGIN CERTIFICATE-----' }),
    {
      at: 'home/linkerd',
      code: 'certificate-source-conflict',
    },
  ],
  [
    'tracing without an endpoint',
    controlPlane({ proxy: { tracing: { enabled: true, collector: { meshIdentity: IDENTITY } } } }),
    {
      at: 'home/linkerd',
      code: 'injected-value-missing',
      cause: 'trace-collector',
      parameters: { enabled: 'proxy.tracing.enabled', endpoints: 'proxy.tracing.collector.endpoint' },
    },
  ],
  [
    'tracing without an identity',
    controlPlane({ proxy: { tracing: { enabled: true, collector: { endpoint: 'tempo.tracing:4317' } } } }),
    {
      at: 'home/linkerd',
      code: 'injected-value-missing',
      cause: 'trace-identity',
      parameters: { missing: 'serviceAccountName and namespace' },
    },
  ],
  [
    'tracing of the controllers without an endpoint',
    controlPlane({ controller: { tracing: { enabled: true } } }),
    {
      at: 'home/linkerd',
      code: 'injected-value-missing',
      cause: 'trace-collector',
      parameters: { enabled: 'controller.tracing.enabled' },
    },
  ],
  [
    'Viz without any Prometheus',
    viz({ prometheus: Prometheus.fromUrl({ url: '' }) }),
    {
      at: 'home/viz',
      code: 'prometheus-missing',
      parameters: { enabled: 'false' },
    },
  ],
  [
    'Viz whose Prometheus a value takes away',
    viz({ values: { prometheus: { enabled: false } } }),
    {
      at: 'home/viz/chart',
      code: 'value-contradicts-prop',
      parameters: { construct: 'home/viz', path: 'prometheus.enabled', value: 'false', decided: 'true' },
    },
  ],
  [
    'a value that contradicts a prop',
    controlPlane({ identityTrustDomain: 'example.org' }),
    {
      at: 'home/linkerd/chart',
      code: 'value-contradicts-prop',
      parameters: { path: 'identityTrustDomain', value: '"example.org"', decided: '"cluster.local"' },
    },
  ],
  [
    'a nested value that contradicts a prop',
    controlPlane({ identity: { issuer: { issuanceLifetime: '48h' } } }),
    {
      at: 'home/linkerd/chart',
      code: 'value-contradicts-prop',
      parameters: { path: 'identity.issuer.issuanceLifetime', value: '"48h"', decided: '"24h"' },
    },
  ],
  [
    'a value that undoes high availability',
    (cluster) => mesh(cluster, { controlPlane: { highAvailability: true, values: { controllerReplicas: 1 } } }),
    {
      at: 'home/linkerd',
      code: 'high-availability-overridden',
      cause: 'replicas',
      parameters: {
        path: 'controllerReplicas',
        value: '1',
      },
    },
  ],
  [
    'an unknown value',
    controlPlane(untyped({ controllerReplica: 3 })),
    {
      at: 'home/linkerd/chart',
      code: 'chart-value-refused',
      cause: 'unknown',
      parameters: { path: 'controllerReplica', remedy: 'meant', hint: 'controllerReplicas' },
    },
  ],
  [
    'an unknown nested value',
    controlPlane(untyped({ proxy: { resources: { cpu: { requests: '100m' } } } })),
    {
      at: 'home/linkerd/chart',
      code: 'chart-value-refused',
      cause: 'unknown',
      parameters: { path: 'proxy.resources.cpu.requests', remedy: 'meant', hint: 'proxy.resources.cpu.request' },
    },
  ],
  [
    'an unknown value of Viz',
    viz({ values: untyped({ dashbord: { replicas: 2 } }) }),
    {
      at: 'home/viz/chart',
      code: 'chart-value-refused',
      cause: 'unknown',
      parameters: { path: 'dashbord', remedy: 'meant', hint: 'dashboard' },
    },
  ],
  [
    'an unknown value of cert-manager',
    (cluster) => mesh(cluster, { certManager: { values: untyped({ replicas: 2 }) } }),
    {
      at: 'home/cert-manager/chart',
      code: 'chart-value-refused',
      cause: 'unknown',
      parameters: { path: 'replicas', remedy: 'meant', hint: 'replicaCount' },
    },
  ],
  [
    'an unknown value of trust-manager',
    (cluster) => mesh(cluster, { trustManager: { values: untyped({ app: { trust: { namespaces: 'a' } } }) } }),
    {
      at: 'home/trust-manager/chart',
      code: 'chart-value-refused',
      cause: 'unknown',
      parameters: { path: 'app.trust.namespaces', remedy: 'meant', hint: 'app.trust.namespace' },
    },
  ],
  [
    'an unknown value of the CNI plugin',
    (cluster) => new LinkerdCni(cluster, 'cni', { values: untyped({ proxyUid: 2102 }) }),
    {
      at: 'home/cni/chart',
      code: 'chart-value-refused',
      cause: 'unknown',
      parameters: { path: 'proxyUid', remedy: 'meant', hint: 'proxyUID' },
    },
  ],
  [
    'an unknown value of the CRDs',
    (cluster) => new LinkerdCrds(cluster, 'crds', { values: untyped({ installGatewayApi: true }) }),
    {
      at: 'home/crds/chart',
      code: 'chart-value-refused',
      cause: 'unknown',
      parameters: { path: 'installGatewayApi', remedy: 'meant', hint: 'installGatewayAPI' },
    },
  ],
  [
    'a value of the wrong type',
    controlPlane(untyped({ controllerReplicas: '3' })),
    {
      at: 'home/linkerd/chart',
      code: 'chart-value-refused',
      cause: 'invalid',
      parameters: {
        path: 'controllerReplicas',
        value: '"3"',
        expected: 'integer',
        remedy: 'unquote',
        hint: '3',
      },
    },
  ],
  [
    'a value that is none of the allowed ones',
    controlPlane(untyped({ proxy: { defaultInboundPolicy: 'open' } })),
    {
      at: 'home/linkerd/chart',
      code: 'chart-value-refused',
      cause: 'invalid',
      parameters: {
        path: 'proxy.defaultInboundPolicy',
        is: 'unsupported',
        value: '"open"',
        remedy: 'correct',
      },
    },
  ],
  [
    'a private key in the values of the control plane',
    controlPlane({ identity: { issuer: { tls: { keyPEM: '-----BEGIN EC PRIVATE KEY-----' } } } }),
    {
      at: 'home/linkerd',
      code: 'private-key-found',
      cause: 'values',
      parameters: { path: 'values.identity.issuer.tls.keyPEM' },
    },
  ],
  [
    'a private key in the values of Viz',
    viz({ values: { tap: { keyPEM: '-----BEGIN EC PRIVATE KEY-----' } } }),
    { at: 'home/viz', code: 'private-key-found', cause: 'values', parameters: { path: 'values.tap.keyPEM' } },
  ],
];

test.each(MISTAKES)('%s', (_, build, expected) => {
  expectFirst(refused(build), expected);
});
