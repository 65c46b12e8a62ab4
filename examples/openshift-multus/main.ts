import { LinkerdMesh, Meshing, Platform, Reference } from 'cdk8s-linkerd';

const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });

/** The CRDs of Multus and of monitoring, which OpenShift installs. */
const external = [
  Reference.crd('network-attachment-definitions.k8s.cni.cncf.io'),
  Reference.crd('podmonitors.monitoring.coreos.com'),
  Reference.crd('prometheusrules.monitoring.coreos.com'),
];

platform.addCluster('ocp', { external }, (ocp) => {
  const { controlPlane } = new LinkerdMesh(ocp, 'mesh', {
    crds: { gatewayApi: 'existing' },
    // Containers may not write network rules. The CNI plugin does, and Multus runs it for pods of these namespaces.
    cni: { openShift: true },
    multus: { namespaces: ['linkerd-viz', 'shop'] },
    // The operator annotates pods for Multus, and sets the users of their proxies to users in the namespace's range.
    operator: {},
    monitoring: { namespace: 'openshift-user-workload-monitoring' },
  });
  new Meshing(ocp, 'meshing', { controlPlane }).namespace('shop', { requireProxy: 'warn' });
});

platform.run();
