import type { IntendedDifference, IntendedValues } from '../../charts/chart';

/** The intended differences from linkerd-multicluster. */
export const MULTICLUSTER_DIFFERENCES: readonly IntendedDifference[] = [
  {
    object: '.',
    path: '/annotations/linkerd\\.io/created-by$',
    reason: 'The annotation names the tool that created the object, which is not Helm.',
  },
  {
    object: '^apiextensions\\.k8s\\.io/v1/CustomResourceDefinition//links\\.multicluster\\.linkerd\\.io$',
    path: '^$',
    reason:
      'The CRD of Link is not among the chart\'s objects: Multicluster emits it separately with `crds: "install"`, never pruned, or leaves it to you.',
  },
];

/** Values that linkerd-multicluster renders, but the library refuses. */
export const MULTICLUSTER_REFUSALS: readonly IntendedValues[] = [
  {
    values: { enablePSP: true },
    reason: 'It would let accounts use a PodSecurityPolicy, which Kubernetes removed in 1.25.',
  },
  {
    values: { linkerdNamespace: '' },
    reason:
      "The chart prints a role for the control plane's namespace without a namespace, so it ends up in any namespace.",
  },
  {
    values: { localServiceMirror: { image: { version: '' } } },
    reason:
      'The chart prints an image without a version, an invalid reference. The same applies to the images of other components.',
  },
  {
    values: { controllers: [{ link: { ref: { name: 'west' } } }, { link: { ref: { name: 'west' } } }] },
    reason: 'The chart prints all objects of a link twice, and the one applied last remains.',
  },
  {
    values: { controllers: [{ link: { ref: { name: 'West' } } }] },
    reason:
      'The API server refuses the names that the chart derives from it, and the names of links with more than 57 characters.',
  },
  {
    values: { controllers: [{ link: { ref: { name: 'west' } }, logLevel: null }] },
    reason:
      'In a list, null removes nothing: the chart prints an empty value. The same applies to texts that it prints into other texts.',
  },
  {
    values: { commonLabels: { 'example.com/label': null } },
    reason: 'The chart has no default for this key, and prints null. The same applies to all labels and annotations.',
  },
  {
    values: { serviceMirrorAdditionalEnv: [{ name: 'KEY', value: '-----BEGIN PRIVATE KEY-----' }] },
    reason: 'Values are in Git, where every reader would have the key. The same applies to private keys anywhere.',
  },
];
