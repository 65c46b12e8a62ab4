import { ensureNamespace, HelmRelease, LinkerdMesh, Meshing, Platform, Reference } from 'cdk8s-linkerd';
import { DstOverride, DstOverrideRemoval, LonghornMesh, traefikValues, veleroValues } from 'cdk8s-linkerd/recipes';
import { Deployment, Ingress, IngressBackend, Service } from 'cdk8s-plus-33';

const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });

const external = [
  // From kube-prometheus-stack, which another team installs.
  Reference.crd('podmonitors.monitoring.coreos.com'),
  Reference.crd('prometheusrules.monitoring.coreos.com'),
  // Longhorn is already installed in the cluster.
  Reference.namespace('longhorn-system'),
];

/** Kinds of objects that the charts of Velero and Traefik create. */
const ofBoth = [
  '/Service',
  '/ServiceAccount',
  'apps/Deployment',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
] as const;

platform.addCluster('home', { external }, (home) => {
  const monitoring = { namespace: 'monitoring' };
  const { controlPlane } = new LinkerdMesh(home, 'mesh', { crds: { gatewayApi: 'install' }, monitoring });
  const meshing = new Meshing(home, 'meshing', { controlPlane });

  // Velero: only its server and its node agents are meshed, because its jobs must end.
  ensureNamespace(home, 'velero');
  new HelmRelease(home, 'velero', {
    chart: {
      name: 'velero',
      version: '11.0.0',
      repository: 'https://vmware-tanzu.github.io/helm-charts',
      kinds: ['/Secret', ...ofBoth],
      foreignNamespaces: [],
    },
    namespace: 'velero',
    values: veleroValues(meshing),
  });

  // Longhorn: only its manager and its dashboard are meshed, because the engines carry the data of the volumes.
  new LonghornMesh(home, 'longhorn', { meshing });

  // Traefik: meshed in ingress mode, in which Linkerd balances the requests.
  const namespace = 'traefik';
  ensureNamespace(home, namespace);
  const removal = new DstOverrideRemoval(home, 'removal', { namespace });
  new HelmRelease(home, 'traefik', {
    chart: {
      name: 'traefik',
      version: '37.0.0',
      repository: 'https://traefik.github.io/charts',
      kinds: [...ofBoth, 'rbac.authorization.k8s.io/ClusterRole', 'networking.k8s.io/IngressClass'],
      foreignNamespaces: [],
    },
    namespace,
    values: traefikValues(meshing, { namespace, removal }),
    provides: [Reference.crd('middlewares.traefik.io')],
  });

  // A meshed application behind Traefik.
  meshing.namespace('shop');
  const metadata = { namespace: 'shop', name: 'web' };
  const web = new Deployment(home, 'web', {
    metadata,
    containers: [{ image: 'ghcr.io/stefanprodan/podinfo:6.9.0', portNumber: 9898 }],
  });
  meshing.inject(web);
  const service = new Service(home, 'service', { metadata, selector: web, ports: [{ port: 80, targetPort: 9898 }] });
  const ingress = new Ingress(home, 'ingress', {
    metadata,
    className: 'traefik',
    rules: [{ host: 'shop.example.com', backend: IngressBackend.fromService(service) }],
  });
  new DstOverride(home, 'web-destination', { service, port: 80 }).attachTo(ingress);
});

platform.run();
