export type { EnvVar } from '../imports/kubernetes';
export type { DeletionPolicy } from '../operator/api/linkerd-config';
export type { Amount } from '../operator/api/proxy-values/quantity';
export { MultusAttach, type MultusAttachProps } from './cni/multus-attach';
export type { MultusNamespace } from './cni/multus-rules';
export type { Delivery } from './helm/chart-release';
export { HelmRelease, type HelmReleaseProps } from './helm/helm-release';
export type { ValueLayers } from './helm/layered-values';
export type { GroupKindName, PinnedChart } from './helm/pinned-chart';
export type { GivenValues, Value, Values } from './helm/values';
export type { InjectMode } from './linkerd/annotations';
export * as annotations from './linkerd/annotations';
export type { CniValues, ControlPlaneValues, CrdsValues } from './linkerd/chart-values';
export type { DeliveryOf } from './linkerd/delivery-of';
export { type CniFacts, type ILinkerdCni, LinkerdCni, type LinkerdCniProps } from './linkerd/linkerd-cni';
export { LinkerdControlPlane, type LinkerdControlPlaneProps } from './linkerd/linkerd-control-plane';
export {
  type GatewayApi,
  type ILinkerdCrds,
  LinkerdCrds,
  type LinkerdCrdsOptions,
  type LinkerdCrdsProps,
} from './linkerd/linkerd-crds';
export { type PodMonitorOptions, PodMonitors, type PodMonitorsProps } from './linkerd/pod-monitors';
export type { InjectingMesh, ProxyRequirement } from './linkerd/proxy-requirement';
export { DEFAULT_LINKERD_VERSION, type DefaultLinkerdVersion, type LinkerdVersion } from './linkerd/versions';
export { LinkerdMesh, type LinkerdMeshProps, type MeshMonitoring } from './mesh/linkerd-mesh';
export { type IngressNginxProps, type IngressNginxValues, ingressNginxValues } from './meshing/charts/ingress-nginx';
export {
  type KubePrometheusStackProps,
  type KubePrometheusStackValues,
  kubePrometheusStackValues,
} from './meshing/charts/kube-prometheus-stack';
export {
  LonghornMesh,
  type LonghornMeshProps,
  type LonghornProps,
  type LonghornValues,
  longhornValues,
} from './meshing/charts/longhorn';
export { type TraefikProps, type TraefikValues, traefikValues } from './meshing/charts/traefik';
export { type VeleroValues, veleroValues } from './meshing/charts/velero';
export type { Annotations } from './meshing/config/config-annotations';
export type { InboundPolicy, MeshConfig } from './meshing/config/mesh-config';
export type { PortRange, Ports } from './meshing/config/ports';
export type { Directions, ImageConfig, ProxyConfig, ProxyPorts } from './meshing/config/proxy-config';
export { DstOverride, type DstOverrideProps } from './meshing/ingress/dst-override';
export { DstOverrideRemoval, type DstOverrideRemovalProps } from './meshing/ingress/dst-override-removal';
export { sendToService } from './meshing/ingress/send-to-service';
export type { ServiceName, ServiceObject } from './meshing/ingress/service-name';
export type { Mesh } from './meshing/mesh';
export { Meshing, type MeshingProps, type NamespaceConfig } from './meshing/meshing';
export { CanaryRoute, type CanaryRouteProps } from './meshing/rollouts/canary-route';
export { SuccessRate, type SuccessRateProps } from './meshing/rollouts/success-rate';
export type { InjectConfig } from './meshing/workloads/inject';
export type { LinkerdAwait } from './meshing/workloads/linkerd-await';
export { type LivePatchProps, patchLive } from './meshing/workloads/live-patch';
export type { Meshable, PlusResource } from './meshing/workloads/meshable';
export {
  CertManager,
  type CertManagerProps,
  type ExistingCertManagerProps,
  type ICertManager,
} from './pki/cert-manager';
export { CertManagerPKI, type CertManagerPKIProps } from './pki/cert-manager-pki';
export type { CertManagerVersion } from './pki/cert-manager-releases';
export type { CertificateAlertsProps } from './pki/certificate-alerts';
export type { PkiSettings } from './pki/pki-rules';
export {
  type IssuerReference,
  type IssuerTrustAnchor,
  type OwnTrustAnchor,
  type PemRoots,
  type SecretRoots,
  type SecretTrustAnchor,
  TrustAnchor,
  type TrustAnchorSource,
} from './pki/trust-anchor';
export { TRUST_ANCHOR_LABEL, type TrustAnchorRole } from './pki/trust-anchor-role';
export type { AnchorRotation } from './pki/trust-anchor-rotation';
export { TrustBundle, type TrustBundleProps } from './pki/trust-bundle';
export {
  type ExistingTrustManagerProps,
  type ITrustManager,
  TrustManager,
  type TrustManagerProps,
} from './pki/trust-manager';
export type { TrustManagerVersion } from './pki/trust-manager-releases';
export type { TrustRoots } from './pki/trust-roots';
export type { Validity } from './pki/validity';
export { WebhookCertificate, type WebhookCertificateProps } from './pki/webhook-certificate';
export { AppProject, type AppProjectProps } from './platform/argocd/app-project';
export type { ApplicationFolder } from './platform/argocd/application-folder';
export { ApplicationSet, type ApplicationSetProps } from './platform/argocd/application-set';
export type { ApplicationSetOptions } from './platform/argocd/application-set-options';
export type { ArgoCdProps } from './platform/argocd/argocd-objects';
export type { GitSource } from './platform/argocd/git-source';
export type { IgnoreDifference } from './platform/argocd/ignore-difference';
export type { ClusterResource, Destination, NamespacedResource } from './platform/argocd/permissions';
export type { RetryProps } from './platform/argocd/retry';
export type { AllAtOnce, RollingSync, SyncStrategy } from './platform/argocd/rolling-sync';
export type { Fleet, OneCluster, Target } from './platform/argocd/target';
export type { Cluster, ClusterDestination, ClusterProps } from './platform/cluster';
export type { SynthOptions } from './platform/command-line';
export { ensureNamespace, type NamespaceMetadata } from './platform/namespace';
export { dependsOn } from './platform/order';
export type { Difference } from './platform/output/output-writer';
export { Platform, type PlatformProps } from './platform/platform';
export type { BundledImageProps, ImagePullProps, ProgramImage } from './platform/program-image';
export { SynthError, type SynthReport } from './platform/report';
export type { Acknowledgements } from './platform/synthesis';
export { LinkerdConfig, type LinkerdConfigProps } from './reconciler/linkerd-config';
export type { OperatorLogLevel } from './reconciler/operator-arguments';
export { OperatorImage } from './reconciler/operator-image';
export type { OperatorMonitorOptions } from './reconciler/operator-monitor';
export type { ProxyUsers } from './reconciler/proxy-users';
export { ReconcilerOperator, type ReconcilerOperatorProps } from './reconciler/reconciler-operator';
export type { WebhookClientCa, WebhookClients } from './reconciler/webhook-clients';
export { CertRotationCronJob, type CertRotationCronJobProps } from './rotation/cert-rotation-cron-job';
export { JaegerToTempo, type JaegerToTempoProps } from './tracing/jaeger-to-tempo';
export type { TempoProps } from './tracing/tempo';
export type { LocatedWarning } from './validation/acknowledge';
export type { LocatedProblem } from './validation/located';
export type { Problem } from './validation/problem';
export { type Declarations, declareReferences, type Reference, type ReferencedKind } from './validation/references';
export { acknowledgeWarning, type Warning, type WarningCode } from './validation/warning';
export type { ContainerResources, ResourceRange } from './viz/container-resources';
export { type ExternalGrafanaProps, Grafana, type InClusterGrafanaProps } from './viz/grafana';
export { type GrafanaDashboardsProps, grafanaDashboardValues } from './viz/grafana-dashboards';
export {
  Ingress,
  type NginxIngress,
  type NginxIngressProps,
  type TraefikIngress,
  type TraefikIngressProps,
} from './viz/ingress';
export type { IngressTls } from './viz/ingress-tls';
export {
  type EmbeddedPrometheus,
  type EmbeddedPrometheusProps,
  type ExternalPrometheus,
  type ExternalPrometheusProps,
  Prometheus,
  type PrometheusPersistence,
  type ServiceAccountRef,
} from './viz/prometheus';
export { Viz, type VizProps } from './viz/viz';
export type { VizValues } from './viz/viz-releases';
