import type { IntendedDifference, IntendedValues } from '../chart';

/** The differences of the multi-cluster extension from what linkerd-multicluster renders. */
export const MULTICLUSTER_DIFFERENCES: readonly IntendedDifference[] = [
  {
    object: '.',
    path: '/annotations/linkerd\\.io/created-by$',
    reason: 'The annotation names the tool that made the object, and that is not Helm.',
  },
  {
    object: '^apiextensions\\.k8s\\.io/v1/CustomResourceDefinition//links\\.multicluster\\.linkerd\\.io$',
    path: '^$',
    reason:
      'The CRD of Link is not among the chart\'s objects: Multicluster emits it by itself with `crds: "install"`, never pruned, or leaves it to you.',
  },
];

/** Values that linkerd-multicluster renders and we refuse. */
export const MULTICLUSTER_REFUSALS: readonly IntendedValues[] = [
  {
    values: { enablePSP: true },
    reason: 'It would let accounts use a PodSecurityPolicy, which Kubernetes does not have since 1.25.',
  },
  {
    values: { linkerdNamespace: '' },
    reason: "The chart prints a role for the control plane's namespace without a namespace, and it ends up anywhere.",
  },
  {
    values: { localServiceMirror: { image: { version: '' } } },
    reason: 'The chart prints an image without a version, an invalid reference. So for the images of other components.',
  },
  {
    values: { controllers: [{ link: { ref: { name: 'west' } } }, { link: { ref: { name: 'west' } } }] },
    reason: 'The chart prints all objects of a link twice, and whichever is applied last stays.',
  },
  {
    values: { controllers: [{ link: { ref: { name: 'West' } } }] },
    reason:
      'The API server refuses the names that the chart makes of it, and those of links of more than 57 characters.',
  },
  {
    values: { controllers: [{ link: { ref: { name: 'west' } }, logLevel: null }] },
    reason: 'In a list null removes nothing: the chart prints an empty value. So for texts that it prints into others.',
  },
  {
    values: { commonLabels: { 'example.com/label': null } },
    reason: 'The chart has none of that name, and prints null. So for all labels and annotations.',
  },
  {
    values: { serviceMirrorAdditionalEnv: [{ name: 'KEY', value: '-----BEGIN PRIVATE KEY-----' }] },
    reason: 'Values stand in Git, where everyone who can read them would have the key. So for private keys anywhere.',
  },
];
