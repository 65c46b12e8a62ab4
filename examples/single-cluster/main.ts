import { LinkerdConfig, LinkerdMesh, Meshing, Platform, ReconcilerOperator, Reference } from 'cdk8s-linkerd';
import { Deployment } from 'cdk8s-plus-33';

const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });

/** From kube-prometheus-stack, which is installed separately. */
const monitoring = { namespace: 'monitoring', labels: { release: 'kube-prometheus-stack' } };
const external = [
  Reference.crd('podmonitors.monitoring.coreos.com'),
  Reference.crd('prometheusrules.monitoring.coreos.com'),
];

platform.addCluster('home', { external }, (home) => {
  // cert-manager, trust-manager, certificates, the control plane with high availability, and Viz.
  const { controlPlane } = new LinkerdMesh(home, 'mesh', { crds: { gatewayApi: 'install' }, monitoring });

  // Rotates the trust anchor, and restarts labelled workloads when the configuration changes.
  const operator = new ReconcilerOperator(home, 'operator', { controlPlane, monitoring });
  new LinkerdConfig(home, 'config', { operator, values: { proxy: { logLevel: 'warn,linkerd=info' } } });

  const meshing = new Meshing(home, 'meshing', { controlPlane });
  meshing.namespace('shop', { requireProxy: 'deny' });
  const web = new Deployment(home, 'web', {
    metadata: { namespace: 'shop', name: 'web' },
    containers: [{ image: 'ghcr.io/stefanprodan/podinfo:6.9.0', portNumber: 9898 }],
  });
  meshing.inject(web, { restart: 'auto' });
});

platform.run();
