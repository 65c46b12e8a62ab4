import type { IntendedDifference, IntendedValues } from '../chart';

/** The differences of the Jaeger extension from what linkerd-jaeger renders. */
export const JAEGER_DIFFERENCES: readonly IntendedDifference[] = [
  {
    object: '.',
    path: '/annotations/linkerd\\.io/created-by$',
    reason: 'The annotation names the tool that made the object, and that is not Helm.',
  },
  {
    object: '^apps/v1/Deployment/[^/]*/jaeger-injector$',
    path: '^/spec/template/metadata/annotations/checksum/config$',
    reason:
      'No checksum: its pod reads nothing that is rendered beside it. The chart restarts it when RBAC or the webhook change.',
  },
  {
    object: '^apps/v1/Deployment/[^/]*/jaeger$',
    path: '^/spec/template/spec/containers/0/args/\\d+',
    reason:
      'Arguments are texts. The chart prints them without quotes, so that what reads as a number or as YAML becomes that, which the API server refuses.',
  },
];

/** Values that linkerd-jaeger renders and we refuse. */
export const JAEGER_REFUSALS: readonly IntendedValues[] = [
  {
    values: { enablePSP: true },
    reason: 'It would let accounts use a PodSecurityPolicy, which Kubernetes does not have since 1.25.',
  },
  {
    values: { webhook: { externalSecret: false, injectCaFrom: '' } },
    reason:
      'The chart makes a private key at each render, or prints the one in keyPEM, as a Secret, which would stand in Git.',
  },
  {
    values: { webhook: { keyPEM: '-----BEGIN EC PRIVATE KEY-----' } },
    reason: 'Values stand in Git, where everyone who can read them would have the key. So for private keys anywhere.',
  },
  {
    values: { commonLabels: { 'example.com/label': null } },
    reason: 'The chart has none of that name, and prints null. So for all labels.',
  },
  {
    values: { linkerdNamespace: '' },
    reason:
      "The chart prints a binding for the control plane's namespace without a namespace, and it ends up anywhere.",
  },
];
