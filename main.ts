import { Duration, Size } from 'cdk8s';
import { Cpu, Deployment } from 'cdk8s-plus-28';
import {
  CanaryRoute,
  CertManager,
  CertManagerPKI,
  CertRotationCronJob,
  type Cluster,
  DashboardIngress,
  Grafana,
  JaegerToTempo,
  LinkerdCni,
  LinkerdConfig,
  LinkerdControlPlane,
  MeshAlerts,
  MeshDashboards,
  Meshing,
  MultusAttach,
  Platform,
  Prometheus,
  ReconcilerOperator,
  Reference,
  SuccessRate,
  TrustBundle,
  TrustManager,
  Viz,
  Warnings,
} from '#lib';
import { LonghornMesh } from '#lib/recipes';

const monitoring = { namespace: 'monitoring', labels: { release: 'kube-prometheus-stack' } };
/** The alerts on certificates use cert-manager's metrics. */
const certManagerMetrics = { prometheus: { podmonitor: { enabled: true, labels: monitoring.labels } } };
const tempo = {
  namespace: 'tracing',
  service: 'tempo-distributor',
  serviceAccount: 'tempo',
  query: { service: 'tempo-query' },
};

const small = { cpu: { request: Cpu.millis(10) }, memory: { request: Size.mebibytes(32), limit: Size.mebibytes(64) } };

/** A k3s cluster on the current Linkerd with its own Gateway, Prometheus, Grafana, Tempo, Longhorn and Multus. */
export function home(cluster: Cluster): void {
  const certManager = new CertManager(cluster, 'cert-manager', { values: certManagerMetrics });
  const trustManager = new TrustManager(cluster, 'trust-manager', { certManager });
  const pki = new CertManagerPKI(cluster, 'pki', {
    certManager,
    // Rotated by the operator.
    trustAnchor: { duration: Duration.days(3650), renewBefore: Duration.days(365) },
    identityIssuer: { duration: Duration.hours(48), renewBefore: Duration.hours(25) },
    alerts: monitoring,
  });
  const trust = new TrustBundle(cluster, 'trust', { pki, trustManager });
  const cni = new LinkerdCni(cluster, 'cni', {
    values: {
      destCNINetDir: '/var/lib/rancher/k3s/agent/etc/cni/net.d',
      destCNIBinDir: '/var/lib/rancher/k3s/data/cni',
    },
  });
  const controlPlane = new LinkerdControlPlane(cluster, 'linkerd', {
    pki,
    trust,
    cni,
    // The CRDs are installed with the cluster's Gateways.
    crds: { gatewayApi: 'existing' },
    highAvailability: true,
    monitoring,
  });
  const viz = new Viz(cluster, 'viz', {
    controlPlane,
    prometheus: Prometheus.fromUrl({
      url: 'http://kube-prometheus-stack-prometheus.monitoring.svc.cluster.local:9090',
    }),
    grafana: Grafana.fromService({ url: 'kube-prometheus-stack-grafana.monitoring.svc.cluster.local' }),
    ingress: DashboardIngress.gateway({
      host: 'linkerd.picluster.ricsanfre.com',
      gateway: { namespace: 'gateways', name: 'internal', sectionName: 'https' },
      // The listener of this Gateway requires client certificates.
      authentication: 'gateway',
    }),
  });
  new JaegerToTempo(cluster, 'tracing', { controlPlane, viz, tempo });

  const meshing = new Meshing(cluster, 'meshing', { controlPlane });
  // Customer traffic must be meshed; logs and metrics may run without the mesh.
  meshing.namespace('shop', { requireProxy: 'deny' });
  for (const namespace of ['logging', monitoring.namespace]) meshing.namespace(namespace);
  const web = new Deployment(cluster, 'web', {
    metadata: { namespace: 'shop', name: 'web' },
    containers: [{ image: 'ghcr.io/stefanprodan/podinfo:6.9.0', portNumber: 9898, resources: small }],
  });
  meshing.inject(web, { restart: 'auto', proxy: { memory: { request: '32Mi', limit: '128Mi' } } });
  new LonghornMesh(cluster, 'longhorn', { meshing, restart: 'auto' });
  new MultusAttach(cluster, 'multus', {
    controlPlane,
    namespaces: ['shop', 'logging', monitoring.namespace, tempo.namespace, viz.namespace, 'longhorn-system'],
    operatorNamespace: 'linkerd-reconciler',
  });
  const operator = new ReconcilerOperator(cluster, 'operator', { controlPlane, multus: true, monitoring });
  // Labelled pods restart when the configuration of the control plane changes.
  new LinkerdConfig(cluster, 'config', { operator });
  new CertRotationCronJob(cluster, 'rotation', { controlPlane, operator });
  new MeshAlerts(cluster, 'alerts', { controlPlane, operator, ...monitoring });
  new MeshDashboards(cluster, 'dashboards', { controlPlane, operator, namespace: monitoring.namespace });
}

/** A cluster on Linkerd 2.14, with the cert-manager and trust-manager of its time. */
export function stable(cluster: Cluster): void {
  Warnings.of(cluster).acknowledge('webhook-ca-replaced', 'once in one and a half years');
  Warnings.of(cluster).acknowledge('host-regexp-too-broad', 'the dashboard is reached by kubectl port-forward only');

  const certManager = new CertManager(cluster, 'cert-manager', {
    version: 'v1.16.1',
    values: certManagerMetrics,
  });
  const trustManager = new TrustManager(cluster, 'trust-manager', { certManager, version: 'v0.12.0' });
  const pki = new CertManagerPKI(cluster, 'pki', {
    certManager,
    // The operator rotates it, also with this cert-manager.
    trustAnchor: { duration: Duration.days(730), renewBefore: Duration.days(180) },
    identityIssuer: { duration: Duration.hours(168), renewBefore: Duration.hours(25) },
    webhookIssuer: { duration: Duration.days(730), renewBefore: Duration.days(180) },
    webhooks: { duration: Duration.hours(168), renewBefore: Duration.hours(24) },
    alerts: monitoring,
  });
  const trust = new TrustBundle(cluster, 'trust', { pki, trustManager });
  const controlPlane = new LinkerdControlPlane(cluster, 'linkerd', {
    version: 'stable-2.14.10',
    pki,
    trust,
    highAvailability: true,
    values: { controllerReplicas: 2, proxyInit: { runAsRoot: true } },
  });
  const viz = new Viz(cluster, 'viz', {
    controlPlane,
    prometheus: Prometheus.embedded(),
    highAvailability: false,
    enforcedHostRegexp: '.*',
  });
  new JaegerToTempo(cluster, 'tracing', { controlPlane, viz, tempo });

  const meshing = new Meshing(cluster, 'meshing', { controlPlane });
  const namespace = 'shop';
  meshing.namespace(namespace);
  // Argo Rollouts queries Viz's Prometheus, which answers only meshed clients.
  meshing.namespace('argo-rollouts');
  new CanaryRoute(cluster, 'canary', {
    controlPlane,
    service: { namespace, name: 'web' },
    stable: { namespace, name: 'web-stable' },
    canary: { namespace, name: 'web-canary' },
    port: 80,
  });
  new SuccessRate(cluster, 'success-rate', { namespace, viz });
  const operator = new ReconcilerOperator(cluster, 'operator', { controlPlane });
  new CertRotationCronJob(cluster, 'rotation', { controlPlane, operator });
}

/** The objects that other tools create in each cluster. */
export const external = {
  home: [
    Reference.crd('network-attachment-definitions.k8s.cni.cncf.io'),
    Reference.crd('podmonitors.monitoring.coreos.com'),
    Reference.crd('prometheusrules.monitoring.coreos.com'),
  ],
  stable: [
    Reference.crd('analysistemplates.argoproj.io'),
    Reference.crd('prometheusrules.monitoring.coreos.com'),
    { kind: 'Service', namespace: 'shop', name: 'web' },
    { kind: 'Service', namespace: 'shop', name: 'web-stable' },
    { kind: 'Service', namespace: 'shop', name: 'web-canary' },
    { kind: 'ServiceAccount', namespace: 'argo-rollouts', name: 'argo-rollouts' },
  ],
} as const;

if (require.main === module) {
  const platform = new Platform({
    repoUrl: 'https://git.example.com/platform.git',
  });
  platform.addCluster('home', { domain: 'cluster.local', external: external.home }, home);
  platform.addCluster('stable', { destination: { name: 'stable' }, external: external.stable }, stable);
  platform.run();
}
