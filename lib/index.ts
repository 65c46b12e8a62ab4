export type { Values as CertManagerValues } from '../imports/charts/cert-manager/v1.21.1';
export type { Values as TrustManagerValues } from '../imports/charts/trust-manager/v0.24.0';
export type { EnvVar } from '../imports/kubernetes';
export type { DeletionPolicy } from '../operator/api/linkerd-config';
export type { Problem, Violation } from '../operator/api/problem';
export type { ResourceRange } from '../operator/api/proxy-values/quantity';
export type { LaggardPolicy, Weekday } from '../operator/api/trust-anchor';
export { TRUST_ANCHOR_LABEL } from '../operator/api/trust-anchor';
export { AppProject, type AppProjectProps } from './argocd/app-project';
export type { ApplicationFolder } from './argocd/application-folder';
export { ApplicationSet, type ApplicationSetProps } from './argocd/application-set';
export type { ApplicationSetOptions, ApplicationsSync } from './argocd/application-set-options';
export type { ArgoCdProps } from './argocd/argocd-objects';
export type { GitSource } from './argocd/git-source';
export type { ClusterResource, Destination, NamespacedResource } from './argocd/permissions';
export type { FurtherPermits } from './argocd/permits';
export type { RetryProps } from './argocd/retry';
export type { Ring, RingClusters } from './argocd/ring';
export type { AllAtOnce, RollingSync, SyncStrategy } from './argocd/rolling-sync';
export type { Fleet, OneCluster, Target } from './argocd/target';
export type { Delivery } from './charts/chart-release';
export { HelmRelease, type HelmReleaseProps } from './charts/helm-release';
export type { Patchable } from './charts/object-patches';
export { type CniFacts, type ILinkerdCni, LinkerdCni, type LinkerdCniProps } from './control-plane/linkerd-cni';
export { LinkerdControlPlane, type LinkerdControlPlaneProps } from './control-plane/linkerd-control-plane';
export {
  type ExistingLinkerdCrds,
  type GatewayApi,
  type ILinkerdCrds,
  LinkerdCrds,
  type LinkerdCrdsOptions,
  type LinkerdCrdsProps,
} from './control-plane/linkerd-crds';
export type { ControlPlaneMonitoring } from './control-plane/pod-monitors';
export type { ProxyRequirement } from './control-plane/proxy-requirement';
export { type FleetFile, type FleetFileOptions, readFleet } from './fleet/fleet-file';
export { fleetSchema, type JsonSchema } from './fleet/fleet-schema';
export type { InjectMode } from './kubernetes/annotations';
export * as annotations from './kubernetes/annotations';
export type { ContainerResources } from './kubernetes/container-resources';
export type { IgnoreDifference } from './kubernetes/ignore-difference';
export type { KubernetesObject } from './kubernetes/kubernetes-object';
export type { ImageMirror } from './kubernetes/mirrored-image';
export type { Monitoring } from './kubernetes/monitoring';
export type { PortRange, Ports } from './kubernetes/ports';
export { LinkerdMesh, type LinkerdMeshProps } from './mesh';
export type { ExportMode } from './multicluster/exported-service';
export type { GatewayProps, LinkGateway } from './multicluster/gateway';
export {
  type CredentialsSecret,
  Link,
  type LinkProps,
  type ServiceSelector,
} from './multicluster/link';
export { type LinkDefinitionOrigin, Multicluster, type MulticlusterProps } from './multicluster/multicluster';
export { MultusAttach, type MultusAttachProps } from './multus/multus-attach';
export type { MultusNamespace } from './multus/multus-rules';
export { LinkerdConfig, type LinkerdConfigProps } from './operator/linkerd-config';
export type { OperatorLogLevel } from './operator/operator-arguments';
export type { ProxyUsers } from './operator/proxy-users';
export { ReconcilerOperator, type ReconcilerOperatorProps } from './operator/reconciler-operator';
export type { WebhookClientCa, WebhookClients } from './operator/webhook-clients';
export {
  CertManager,
  type CertManagerProps,
  type ExistingCertManagerProps,
  type ICertManager,
} from './pki/cert-manager';
export { CertManagerPKI, type CertManagerPKIProps } from './pki/cert-manager-pki';
export type { AnchorLaggards, AnchorMembers, AnchorWindow, OperatorRotation } from './pki/operator-rotation';
export {
  type IssuerReference,
  type IssuerTrustAnchor,
  type OwnRotation,
  type OwnTrustAnchor,
  type PemRoots,
  type RotationByCertManager,
  type RotationByHand,
  type RotationByOperator,
  type SecretRoots,
  type SecretTrustAnchor,
  TrustAnchor,
  type TrustAnchorSource,
} from './pki/trust-anchor';
export type { TrustAnchorRole } from './pki/trust-anchor-role';
export type { AnchorRotation } from './pki/trust-anchor-rotation';
export { TrustBundle, type TrustBundleProps } from './pki/trust-bundle';
export {
  type ExistingTrustManagerProps,
  type ITrustManager,
  TrustManager,
  type TrustManagerProps,
} from './pki/trust-manager';
export type { Validity } from './pki/validity';
export type { Shard } from './platform/chosen-clusters';
export type { ClusterEntry } from './platform/cluster-entry';
export type { SynthOptions } from './platform/command-line';
export { Platform, type PlatformProps } from './platform/platform';
export { SynthError, type SynthReport } from './platform/report';
export type { GivenRings } from './platform/rings';
export type { Acknowledgements } from './platform/synthesis';
export type { AllowOptions } from './policy/allow-options';
export {
  type ClientGroup,
  Clients,
  type ForeignWorkload,
  type NetworkBlock,
  type PolicyClient,
} from './policy/clients';
export { authorizedClients } from './policy/clients-of';
export type { DefaultDenyOptions, NamespaceMode } from './policy/default-deny';
export type { EgressHosts, EgressOptions } from './policy/egress-options';
export type { PolicyMode, PortProtocol } from './policy/port-policy';
export type { RateLimitOptions, RateOverride } from './policy/rate-limit';
export type { HttpMethod, HttpRequests } from './policy/requests';
export type { Finding } from './problems/finding';
export type { Warning, WarningCode } from './problems/warning';
export type { CertManagerVersion } from './releases/cert-manager';
export type {
  CniValues,
  ControlPlaneValues,
  CrdsValues,
  JaegerValues,
  MulticlusterValues,
  ServiceMirrorValues,
  VizValues,
} from './releases/chart-values';
export type { ChartConformance, ConformanceRecord } from './releases/conformance-record';
export type { GroupKindName, PinnedChart } from './releases/pinned-chart';
export {
  DEFAULT_LINKERD_VERSION,
  type GivenRelease,
  type LinkerdLine,
  type LinkerdVersion,
  Release,
  type ReleaseLikeOptions,
} from './releases/release';
export type { TrustManagerVersion } from './releases/trust-manager';
export type { GivenValues, Value, Values } from './releases/values';
export { CertRotationCronJob, type CertRotationCronJobProps } from './rotation/cert-rotation-cron-job';
export type { Difference, WriteCounts } from './synth/output/output-writer';
export { JaegerToTempo, type JaegerToTempoProps } from './tracing/jaeger-to-tempo';
export type { TempoProps } from './tracing/tempo';
export { acknowledgeWarning } from './tree/add-rule';
export type { Cluster, ClusterDestination, ClusterProps } from './tree/cluster';
export type { ClusterReference } from './tree/cluster-reference';
export type { Meshable, PlusResource, PlusWorkload } from './tree/meshable';
export type { Mirror } from './tree/mirror';
export { ensureNamespace, type NamespaceMetadata } from './tree/namespace';
export {
  type BundledImage,
  type BundledImageProps,
  type ImagePullProps,
  OperatorImage,
  type PublishedImage,
  type RegistryImage,
} from './tree/operator-image';
export { dependsOn } from './tree/order';
export {
  certificate,
  clusterIssuer,
  configMap,
  crd,
  type Declarations,
  declareReferences,
  issuer,
  middleware,
  namespace,
  networkAttachment,
  type Reference,
  type ReferencedKind,
  secret,
  service,
  serviceAccount,
} from './tree/references';
export { type ExternalGrafanaProps, Grafana, type InClusterGrafanaProps } from './viz/grafana';
export { type GrafanaDashboardsProps, grafanaDashboardValues } from './viz/grafana-dashboards';
export {
  type DashboardIngressProps,
  type GatewayIngress,
  type GatewayIngressProps,
  Ingress,
  type NginxIngress,
  type NginxIngressProps,
  type TraefikIngress,
  type TraefikIngressProps,
} from './viz/ingress';
export type { ExistingTls, IngressTls, IssuedTls } from './viz/ingress-tls';
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
export { type IngressNginxProps, type IngressNginxValues, ingressNginxValues } from './workloads/charts/ingress-nginx';
export {
  type KubePrometheusStackProps,
  type KubePrometheusStackValues,
  kubePrometheusStackValues,
} from './workloads/charts/kube-prometheus-stack';
export {
  LonghornMesh,
  type LonghornMeshProps,
  type LonghornProps,
  type LonghornValues,
  longhornValues,
} from './workloads/charts/longhorn';
export { type TraefikProps, type TraefikValues, traefikValues } from './workloads/charts/traefik';
export { type VeleroValues, veleroValues } from './workloads/charts/velero';
export type { Annotations } from './workloads/config/config-annotations';
export type { InboundPolicy, MeshConfig } from './workloads/config/mesh-config';
export type { Directions, ImageConfig, ProxyConfig, ProxyPorts } from './workloads/config/proxy-config';
export { DstOverride, type DstOverrideProps } from './workloads/ingress/dst-override';
export { DstOverrideRemoval, type DstOverrideRemovalProps } from './workloads/ingress/dst-override-removal';
export { sendToService } from './workloads/ingress/send-to-service';
export type { ServiceName, ServiceObject } from './workloads/ingress/service-name';
export type { InjectConfig } from './workloads/inject';
export type { LinkerdAwait } from './workloads/linkerd-await';
export type { Mesh } from './workloads/mesh';
export { Meshing, type MeshingProps, type NamespaceConfig } from './workloads/meshing';
export { CanaryRoute, type CanaryRouteProps } from './workloads/rollouts/canary-route';
export {
  type MetricsSource,
  SuccessRate,
  type SuccessRateOptions,
  type SuccessRateProps,
} from './workloads/rollouts/success-rate';
