import type { IntendedDifference, IntendedValues } from '../../charts/chart';

/** The intended differences from linkerd-jaeger. */
export const JAEGER_DIFFERENCES: readonly IntendedDifference[] = [
  {
    object: '.',
    path: '/annotations/linkerd\\.io/created-by$',
    reason: 'The annotation names the tool that created the object, which is not Helm.',
  },
  {
    object: '^apps/v1/Deployment/[^/]*/jaeger-injector$',
    path: '^/spec/template/metadata/annotations/checksum/config$',
    reason:
      'No checksum: its pod reads no other rendered object. The chart restarts it when RBAC or the webhook change.',
  },
  {
    object: '^apps/v1/Deployment/[^/]*/jaeger$',
    path: '^/spec/template/spec/containers/0/args/\\d+',
    reason:
      'Arguments are strings. The chart prints them without quotes, so an argument that looks like a number or other YAML becomes that type, which the API server refuses.',
  },
];

/** Values that linkerd-jaeger renders, but the library refuses. */
export const JAEGER_REFUSALS: readonly IntendedValues[] = [
  {
    values: { enablePSP: true },
    reason: 'It would let accounts use a PodSecurityPolicy, which Kubernetes removed in 1.25.',
  },
  {
    values: { webhook: { externalSecret: false, injectCaFrom: '' } },
    reason:
      'The chart generates a private key at each render, or prints the one in keyPEM, as a Secret, which would be in Git.',
  },
  {
    values: { webhook: { keyPEM: '-----BEGIN EC PRIVATE KEY-----' } },
    reason: 'Values are in Git, where every reader would have the key. The same applies to private keys anywhere.',
  },
  {
    values: { commonLabels: { 'example.com/label': null } },
    reason: 'The chart has no default for this key, and prints null. The same applies to all labels.',
  },
  {
    values: { linkerdNamespace: '' },
    reason:
      "The chart prints a binding for the control plane's namespace without a namespace, so it ends up in any namespace.",
  },
];
