import type { Values } from '#base/values';
import type { ChartName } from '#linkerd/renderers/chart-names';

const webhook = (service: string): Values => ({ externalSecret: true, injectCaFrom: `linkerd/${service}` });
const CERTIFICATES: Values = {
  identity: { externalCA: true, issuer: { scheme: 'kubernetes.io/tls' } },
  proxyInjector: webhook('linkerd-proxy-injector'),
  profileValidator: webhook('linkerd-sp-validator'),
  policyValidator: webhook('linkerd-policy-validator'),
};
const TRACING: Values = {
  enabled: true,
  collector: { endpoint: 'otel.tracing:4317', meshIdentity: { serviceAccountName: 'otel', namespace: 'tracing' } },
};
const SERVERS: Values = {
  tap: { externalSecret: true, injectCaFrom: 'linkerd-viz/tap' },
  tapInjector: { externalSecret: true, injectCaFrom: 'linkerd-viz/tap-injector' },
};

/** Base values to which a test adds one value each: charts read some values only together with others. */
export const BASES: Readonly<Record<ChartName, Readonly<Record<string, Values>>>> = {
  'linkerd-control-plane': {
    base: CERTIFICATES,
    'high availability, CNI, tracing and monitors': {
      ...CERTIFICATES,
      cniEnabled: true,
      controllerReplicas: 3,
      enablePodAntiAffinity: true,
      enablePodDisruptionBudget: true,
      controller: { tracing: { enabled: true } },
      proxy: { tracing: TRACING },
      podMonitor: { enabled: true },
    },
    'sidecars of the old kind, certificates from values': {
      ...CERTIFICATES,
      disableIPv6: false,
      proxy: { nativeSidecar: false },
      proxyInit: { closeWaitTimeoutSecs: 3, runAsRoot: true },
      identity: { externalCA: false, issuer: { scheme: 'kubernetes.io/tls' } },
      identityTrustAnchorsPEM: 'anchors',
      proxyInjector: { externalSecret: true, caBundle: 'a' },
      profileValidator: { externalSecret: true, caBundle: 'b' },
      policyValidator: { externalSecret: true, caBundle: 'c' },
    },
  },
  'linkerd-viz': {
    base: SERVERS,
    'high availability, all of Prometheus': {
      ...SERVERS,
      enablePodAntiAffinity: true,
      enablePodDisruptionBudget: true,
      metricsAPI: { replicas: 3 },
      tap: { externalSecret: true, caBundle: 'a', replicas: 3 },
      tapInjector: { externalSecret: true, caBundle: 'b', replicas: 3 },
      dashboard: { replicas: 3 },
      prometheus: {
        persistence: { storageClass: 'fast', accessMode: 'ReadWriteOnce', size: '1Gi' },
        alertmanagers: [{ scheme: 'http' }],
      },
    },
    'a Prometheus from elsewhere': { ...SERVERS, prometheus: { enabled: false }, prometheusUrl: 'http://p:9090' },
  },
  'linkerd2-cni': { base: {}, 'with repairs': { repairController: { enabled: true } } },
};
