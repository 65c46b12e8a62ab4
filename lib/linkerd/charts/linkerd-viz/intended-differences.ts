import type { IntendedDifference, IntendedValues } from '../chart';

/** The differences of Viz from what linkerd-viz renders. */
export const VIZ_DIFFERENCES: readonly IntendedDifference[] = [
  {
    object: '.',
    path: '/annotations/linkerd\\.io/created-by$',
    reason: 'The annotation names the tool that made the object, and that is not Helm.',
  },
  {
    object: '^apps/v1/Deployment/[^/]*/(?:metrics-api|tap|tap-injector)$',
    path: '^/spec/template/metadata/annotations/checksum/config$',
    reason:
      'No checksum: their pods read nothing that is rendered beside them. The chart restarts them when RBAC or webhooks change.',
  },
  {
    object: '^v1/ConfigMap/[^/]*/prometheus-config$',
    path: '^/data/prometheus\\.yml$',
    reason:
      "The text is another one, without the chart's comments and with keys in order; as data it is equal, which is how it is compared.",
  },
];

/** Values that linkerd-viz fails on and we render, because of a bug of the chart. */
export const VIZ_FIXES: readonly IntendedValues[] = [
  {
    values: { metricsAPI: { proxy: { resources: { cpu: { limit: '1' }, memory: { limit: '100Mi' } } } } },
    reason:
      'The chart prints two annotations on one line, invalid YAML, where a proxy has limits of CPU and memory but no request of memory. So for the proxies of all components.',
  },
];

/** Values that linkerd-viz renders and we refuse. */
export const VIZ_REFUSALS: readonly IntendedValues[] = [
  {
    values: { enablePSP: true },
    reason: 'It would let accounts use a PodSecurityPolicy, which Kubernetes does not have since 1.25.',
  },
  {
    values: { tap: { externalSecret: false, injectCaFrom: '' } },
    reason:
      'The chart makes a private key at each render, or prints the one in keyPEM, as a Secret, which would stand in Git. So for tapInjector.',
  },
  {
    values: { tap: { keyPEM: '-----BEGIN EC PRIVATE KEY-----' } },
    reason: 'Values stand in Git, where everyone who can read them would have the key. So for private keys anywhere.',
  },
  {
    values: { clusterDomain: null },
    reason: 'The chart prints "%!s(<nil>)" or nothing into names. So for defaultLogFormat, and versions of images.',
  },
  {
    values: { commonLabels: { 'example.com/label': null } },
    reason: 'The chart has none of that name, and prints null. So for all labels and annotations.',
  },
  {
    values: { linkerdNamespace: '' },
    reason: "The chart prints roles for the control plane's namespace without a namespace, and they end up anywhere.",
  },
  {
    values: { prometheus: { persistence: { storageClass: 'fast' } } },
    reason: 'The chart prints a claim without a size or an access mode, which the API server refuses.',
  },
];
