import type { IntendedDifference, IntendedValues } from '../../charts/chart';

/** The intended differences from linkerd-control-plane, in all releases. */
export const CONTROL_PLANE_DIFFERENCES: readonly IntendedDifference[] = [
  {
    object: '.',
    path: '/annotations/linkerd\\.io/created-by$',
    reason: 'The annotation names the tool that created the object, which is not Helm.',
  },
  {
    object: '^apps/v1/Deployment/[^/]*/linkerd-proxy-injector$',
    path: '^/spec/template/metadata/annotations/checksum/config$',
    reason:
      'The checksum covers the configuration that the injector reads and passes to proxies, so the injector restarts when that changes; the chart restarts it when its RBAC or webhook changes.',
  },
  {
    object: '^apps/v1/Deployment/[^/]*/linkerd-destination$',
    path: '^/spec/template/metadata/annotations/checksum/config$',
    reason:
      'No checksum: its pods read no other rendered object. The chart restarts them when RBAC or webhooks change.',
  },
  {
    object: '^batch/v1/CronJob/[^/]*/linkerd-heartbeat$',
    path: '^/spec/schedule$',
    reason:
      "Without heartbeatSchedule, the chart uses the time of rendering, so no two renders are equal; our schedule follows from the cluster's name.",
  },
];

/** Values that linkerd-control-plane renders, but the library refuses, in all releases that have them. */
export const CONTROL_PLANE_REFUSALS: readonly IntendedValues[] = [
  {
    values: { enablePSP: true },
    reason: 'Kubernetes removed PodSecurityPolicy in 1.25: the sync would fail on an unknown kind.',
  },
  {
    values: { clusterDomain: null },
    reason:
      'The chart prints "%!s(<nil>)" into names. The same applies to proxy.logLevel, except in 2.14, and to images without a version.',
  },
  {
    values: { podAnnotations: { 'example.com/annotation': null } },
    reason: 'The chart has no default for this key, and prints null. The same applies to all labels and annotations.',
  },
  {
    values: {
      controller: { tracing: { enabled: true, collector: { endpoint: 'otel.tracing:4317' } } },
      destinationController: { additionalEnv: [{ name: 'A', value: 'b' }] },
    },
    reason:
      'The chart prints the argument for the destination of traces into the list of environment variables, which the API server refuses. This does not apply to 2.14, which has neither value.',
  },
  {
    values: { identity: { issuer: { scheme: 'linkerd.io/tls' } } },
    reason: "The chart prints the identity issuer's private key as a Secret, which would be in Git.",
  },
  {
    values: { proxyInjector: { externalSecret: false, injectCaFrom: '' } },
    reason:
      'The chart generates a private key at each render, or prints the one in keyPEM, as a Secret, which would be in Git. The same applies to profileValidator and policyValidator.',
  },
  {
    values: { proxyInjector: { keyPEM: '-----BEGIN EC PRIVATE KEY-----' } },
    reason: 'Values are in Git, where every reader would have the key. The same applies to private keys anywhere.',
  },
];
