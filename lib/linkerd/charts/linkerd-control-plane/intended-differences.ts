import type { IntendedDifference, IntendedValues } from '../chart';

/** The differences of the control plane from what linkerd-control-plane renders, of all releases. */
export const CONTROL_PLANE_DIFFERENCES: readonly IntendedDifference[] = [
  {
    object: '.',
    path: '/annotations/linkerd\\.io/created-by$',
    reason: 'The annotation names the tool that made the object, and that is not Helm.',
  },
  {
    object: '^apps/v1/Deployment/[^/]*/linkerd-proxy-injector$',
    path: '^/spec/template/metadata/annotations/checksum/config$',
    reason:
      'The checksum is over the configuration that the injector reads and gives to proxies, so that it restarts when that changes; the chart restarts it when its RBAC or its webhook does.',
  },
  {
    object: '^apps/v1/Deployment/[^/]*/linkerd-destination$',
    path: '^/spec/template/metadata/annotations/checksum/config$',
    reason:
      'No checksum: its pods read nothing that is rendered beside them. The chart restarts them when RBAC or webhooks change.',
  },
  {
    object: '^batch/v1/CronJob/[^/]*/linkerd-heartbeat$',
    path: '^/spec/schedule$',
    reason:
      "Without heartbeatSchedule the chart takes the time of rendering, so that no two renders are equal; ours follows from the cluster's name.",
  },
];

/** Values that linkerd-control-plane renders and we refuse, of all releases that have them. */
export const CONTROL_PLANE_REFUSALS: readonly IntendedValues[] = [
  {
    values: { enablePSP: true },
    reason: 'Kubernetes has no PodSecurityPolicy since 1.25: the sync would fail on an unknown kind.',
  },
  {
    values: { clusterDomain: null },
    reason:
      'The chart prints "%!s(<nil>)" into names. So for proxy.logLevel, but of 2.14, and for images that have no version.',
  },
  {
    values: { podAnnotations: { 'example.com/annotation': null } },
    reason: 'The chart has none of that name, and prints null. So for all labels and annotations.',
  },
  {
    values: {
      controller: { tracing: { enabled: true, collector: { endpoint: 'otel.tracing:4317' } } },
      destinationController: { additionalEnv: [{ name: 'A', value: 'b' }] },
    },
    reason:
      'The chart prints the argument that says where traces go into the list of environment variables, which the API server refuses. Not in 2.14, which has neither value.',
  },
  {
    values: { identity: { issuer: { scheme: 'linkerd.io/tls' } } },
    reason: "The chart prints the identity issuer's private key as a Secret, which would stand in Git.",
  },
  {
    values: { proxyInjector: { externalSecret: false, injectCaFrom: '' } },
    reason:
      'The chart makes a private key at each render, or prints the one in keyPEM, as a Secret, which would stand in Git. So for profileValidator and policyValidator.',
  },
  {
    values: { proxyInjector: { keyPEM: '-----BEGIN EC PRIVATE KEY-----' } },
    reason: 'Values stand in Git, where everyone who can read them would have the key. So for private keys anywhere.',
  },
];
