import type { IntendedDifference, IntendedValues } from '../../charts/chart';

/** The intended differences from linkerd-viz. */
export const VIZ_DIFFERENCES: readonly IntendedDifference[] = [
  {
    object: '.',
    path: '/annotations/linkerd\\.io/created-by$',
    reason: 'The annotation names the tool that created the object, which is not Helm.',
  },
  {
    object: '^apps/v1/Deployment/[^/]*/(?:metrics-api|tap|tap-injector)$',
    path: '^/spec/template/metadata/annotations/checksum/config$',
    reason:
      'No checksum: their pods read no other rendered object. The chart restarts them when RBAC or webhooks change.',
  },
  {
    object: '^v1/ConfigMap/[^/]*/prometheus-config$',
    path: '^/data/prometheus\\.yml$',
    reason:
      "The text differs, without the chart's comments and with sorted keys; the comparison parses it, and as data it is equal.",
  },
];

/** Values that linkerd-viz fails on because of a bug, but the library renders. */
export const VIZ_FIXES: readonly IntendedValues[] = [
  {
    values: { metricsAPI: { proxy: { resources: { cpu: { limit: '1' }, memory: { limit: '100Mi' } } } } },
    reason:
      'The chart prints two annotations on one line, invalid YAML, if a proxy has limits for CPU and memory but no memory request. The same applies to the proxies of all components.',
  },
];

/** Values that linkerd-viz renders, but the library refuses. */
export const VIZ_REFUSALS: readonly IntendedValues[] = [
  {
    values: { enablePSP: true },
    reason: 'It would let accounts use a PodSecurityPolicy, which Kubernetes removed in 1.25.',
  },
  {
    values: { tap: { externalSecret: false, injectCaFrom: '' } },
    reason:
      'The chart generates a private key at each render, or prints the one in keyPEM, as a Secret, which would be in Git. The same applies to tapInjector.',
  },
  {
    values: { tap: { keyPEM: '-----BEGIN EC PRIVATE KEY-----' } },
    reason: 'Values are in Git, where every reader would have the key. The same applies to private keys anywhere.',
  },
  {
    values: { clusterDomain: null },
    reason:
      'The chart prints "%!s(<nil>)" or nothing into names. The same applies to defaultLogFormat and to versions of images.',
  },
  {
    values: { commonLabels: { 'example.com/label': null } },
    reason: 'The chart has no default for this key, and prints null. The same applies to all labels and annotations.',
  },
  {
    values: { linkerdNamespace: '' },
    reason:
      "The chart prints roles for the control plane's namespace without a namespace, so they end up in any namespace.",
  },
  {
    values: { prometheus: { persistence: { storageClass: 'fast' } } },
    reason: 'The chart prints a claim without a size or an access mode, which the API server refuses.',
  },
];
