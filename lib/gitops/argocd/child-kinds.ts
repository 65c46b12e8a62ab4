/** Kinds that controllers make of objects and mark with an ownerReference, or that Argo CD knows to belong to them. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  '/Service': ['/Endpoints', 'discovery.k8s.io/EndpointSlice'],
  'apps/DaemonSet': ['apps/ControllerRevision', '/Pod'],
  'apps/Deployment': ['apps/ReplicaSet', '/Pod'],
  'apps/StatefulSet': ['apps/ControllerRevision', '/Pod', '/PersistentVolumeClaim'],
  'batch/CronJob': ['batch/Job', '/Pod'],
  'batch/Job': ['/Pod'],
  'cert-manager.io/Certificate': ['cert-manager.io/CertificateRequest'],
  'trust.cert-manager.io/Bundle': ['/ConfigMap'],
};

/** The kinds of the objects that come into being below objects of these kinds. */
export function childKinds(kinds: Iterable<string>): readonly string[] {
  return [...kinds].flatMap((kind) => CHILDREN[kind] ?? []);
}
