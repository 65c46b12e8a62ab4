import type { IntendedDifference, IntendedValues } from '../../charts/chart';

/** The intended differences from linkerd2-cni. */
export const CNI_DIFFERENCES: readonly IntendedDifference[] = [
  {
    object: '.',
    path: '/annotations/linkerd\\.io/created-by$',
    reason: 'The annotation names the tool that created the object, which is not Helm.',
  },
];

/** Values that linkerd2-cni renders, but the library refuses. */
export const CNI_REFUSALS: readonly IntendedValues[] = [
  {
    values: { enablePSP: true },
    reason: 'Kubernetes removed PodSecurityPolicy in 1.25: the sync would fail on an unknown kind.',
  },
  {
    values: { iptablesMode: null },
    reason:
      'The chart prints invalid JSON. The same applies to everything that it prints into the network configuration. The chart of 2.14 does not print iptablesMode and proxyGID.',
  },
  {
    values: { image: { version: '' } },
    reason: 'The chart prints an image without a version, invalid YAML.',
  },
  {
    values: { extraInitContainers: [{ name: 'key', env: [{ name: 'KEY', value: '-----BEGIN PRIVATE KEY-----' }] }] },
    reason: 'Values are in Git, where every reader would have the key. The same applies to private keys anywhere.',
  },
];
