import { LinkerdMesh, Meshing, Platform, Reference } from 'cdk8s-linkerd';

const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });

/** Installed by OpenShift: Multus, and its monitoring. */
const external = [
  Reference.crd('network-attachment-definitions.k8s.cni.cncf.io'),
  Reference.crd('podmonitors.monitoring.coreos.com'),
  Reference.crd('prometheusrules.monitoring.coreos.com'),
];

platform.addCluster('ocp', { external }, (ocp) => {
  const { controlPlane } = new LinkerdMesh(ocp, 'mesh', {
    crds: { gatewayApi: 'existing' },
    // No container may write network rules: the CNI plugin does, which Multus runs for the pods of these namespaces.
    cni: { openShift: true },
    multus: { namespaces: ['linkerd-viz', 'shop'] },
    // Annotates pods for Multus, and gives their proxies users in the namespace's range.
    operator: {},
    monitoring: { namespace: 'openshift-user-workload-monitoring' },
  });
  new Meshing(ocp, 'meshing', { controlPlane }).namespace('shop', { requireProxy: 'warn' });
});

platform.run();
