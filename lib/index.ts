export type { LaggardPolicy, ProbePolicy, UnsignedBridgePolicy, Weekday } from '#anchor/trust-anchor';
export type { FilePlace, Finding } from '#base/findings/finding';
export type { Problem, Severity } from '#base/findings/problem';
export type { GivenValues, Value, Values } from '#base/values';
export type { Values as CertManagerValues } from '#imports/charts/cert-manager/v1.21.1';
export type { Values as TrustManagerValues } from '#imports/charts/trust-manager/v0.24.0';
export type { EnvVar } from '#imports/kubernetes';
export type { Alerting, Monitoring } from '#kubernetes/monitoring';
export type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
export type { ImageMirror } from '#kubernetes/objects/mirrored-image';
export { Reference, type ReferencedKind } from '#kubernetes/objects/references';
export type { DurationLike, GoDuration } from '#kubernetes/options/duration-like';
export type { InjectMode } from '#linkerd/annotation-values';
export { ChartFolder } from '#linkerd/charts/chart-folder';
export type { GroupKindName, PinnedChart } from '#linkerd/charts/pinned-chart';
export type { Resources } from '#linkerd/container-resources';
export type { Ports } from '#linkerd/ports';
export type { ResourceRange } from '#linkerd/proxy-values/quantity';
export type { CertManagerVersion, TrustManagerVersion } from '#linkerd/releases/cert-manager';
export type {
  CniValues,
  ControlPlaneValues,
  CrdsValues,
  JaegerValues,
  MulticlusterValues,
  ServiceMirrorValues,
  VizValues,
} from '#linkerd/releases/chart-values';
export { DEFAULT_LINKERD_VERSION, type LinkerdVersion } from '#linkerd/releases/known-releases';
export {
  type GivenRelease,
  type LinkerdLine,
  Release,
  type ReleaseFromChartsOptions,
} from '#linkerd/releases/release';
export type { DeletionPolicy } from '#operator/api/linkerd-config';
export type { Declarations } from './checks/cluster/checked-cluster';
export type { OwnCode, WarningCode } from './checks/warnings';
export type {
  ExistingLinkerdControlPlaneProps,
  ILinkerdControlPlane,
} from './constructs/control-plane/existing-control-plane';
export {
  type CniDistribution,
  type CniFacts,
  type ILinkerdCni,
  LinkerdCni,
  type LinkerdCniProps,
} from './constructs/control-plane/linkerd-cni';
export { LinkerdControlPlane, type LinkerdControlPlaneProps } from './constructs/control-plane/linkerd-control-plane';
export {
  type ExistingLinkerdCrdsProps,
  type GatewayApi,
  type ILinkerdCrds,
  LinkerdCrds,
  type LinkerdCrdsOptions,
  type LinkerdCrdsProps,
} from './constructs/control-plane/linkerd-crds';
export type { ControlPlaneMonitoring } from './constructs/control-plane/pod-monitors';
export type { ProxyRequirement } from './constructs/control-plane/proxy-admission-policy';
export { type FleetFile, type FleetFileOptions, readFleet } from './constructs/fleet/fleet-file';
export { fleetSchema, type JsonSchema } from './constructs/fleet/fleet-schema';
export { LinkerdMesh, type LinkerdMeshProps } from './constructs/mesh';
export type { Annotations } from './constructs/meshing/config/config-annotations';
export type { InboundPolicy, MeshConfig } from './constructs/meshing/config/mesh-config';
export type { Directions, ImageConfig, ProxyConfig, ProxyPorts } from './constructs/meshing/config/proxy-config';
export type { InjectConfig } from './constructs/meshing/inject';
export type { LinkerdAwait } from './constructs/meshing/linkerd-await';
export type { Mesh } from './constructs/meshing/mesh';
export { Meshing, type MeshingProps, type NamespaceConfig } from './constructs/meshing/meshing';
export { CanaryRoute, type CanaryRouteProps } from './constructs/meshing/rollouts/canary-route';
export {
  type MetricsSource,
  SuccessRate,
  type SuccessRateOptions,
  type SuccessRateProps,
} from './constructs/meshing/rollouts/success-rate';
export type { ServiceName, ServiceObject } from './constructs/meshing/service-name';
export {
  type AlertMetrics,
  type AlertOptions,
  MeshAlerts,
  type MeshAlertsProps,
} from './constructs/monitoring/mesh-alerts';
export { MeshDashboards, type MeshDashboardsProps } from './constructs/monitoring/mesh-dashboards';
export type { AlertThresholds } from './constructs/monitoring/thresholds';
export type { MeshAlertName } from './constructs/monitoring/watched-mesh';
export type { ExportMode } from './constructs/multicluster/exported-service';
export type { GatewayProps, LinkGateway } from './constructs/multicluster/gateway';
export {
  type CredentialsSecret,
  Link,
  type LinkProps,
  type ServiceSelector,
} from './constructs/multicluster/link';
export {
  type LinkDefinitionOrigin,
  Multicluster,
  type MulticlusterProps,
} from './constructs/multicluster/multicluster';
export type { MultusNamespace } from './constructs/multus/multus-attach';
export { MultusAttach, type MultusAttachProps } from './constructs/multus/multus-attach';
export { AnchorExchange, type AnchorExchangeProps } from './constructs/operator/anchor-exchange';
export { LinkerdConfig, type LinkerdConfigProps } from './constructs/operator/linkerd-config';
export type { OperatorLogLevel, ProxyUsers } from './constructs/operator/operator-arguments';
export { ReconcilerOperator, type ReconcilerOperatorProps } from './constructs/operator/reconciler-operator';
export type { WebhookClientCa, WebhookClients } from './constructs/operator/webhook-clients';
export type { AnchorBridge, AnchorBridgeDeadline } from './constructs/pki/anchor-bridge';
export {
  CertManager,
  type CertManagerProps,
  type ExistingCertManagerProps,
  type ICertManager,
} from './constructs/pki/cert-manager';
export { CertManagerPKI, type CertManagerPKIProps } from './constructs/pki/cert-manager-pki';
export type { ExistingAnchor, ExistingCertManagerPKIProps, ICertManagerPKI } from './constructs/pki/existing-pki';
export type {
  AnchorLaggards,
  AnchorMembers,
  AnchorWindow,
  CertifiedMember,
  OperatorRotation,
} from './constructs/pki/operator-rotation';
export {
  type IssuerReference,
  type OwnTrustAnchor,
  type PemRoots,
  type SecretRoots,
  TrustAnchor,
  type TrustAnchorSource,
} from './constructs/pki/trust-anchor';
export { TrustBundle, type TrustBundleProps } from './constructs/pki/trust-bundle';
export {
  type ExistingTrustManagerProps,
  type ITrustManager,
  TrustManager,
  type TrustManagerProps,
} from './constructs/pki/trust-manager';
export type { ResolvedValidity, Validity } from './constructs/pki/validity';
export type { AllowOptions } from './constructs/policy/allow-options';
export {
  type ClientGroup,
  Clients,
  type ForeignWorkload,
  type NetworkBlock,
  type PolicyClient,
} from './constructs/policy/clients';
export { authorizedClients } from './constructs/policy/clients-of';
export type { DefaultDenyOptions, NamespaceMode } from './constructs/policy/default-deny';
export type { EgressHosts, EgressOptions } from './constructs/policy/egress-rules';
export type { PolicyTarget } from './constructs/policy/policies';
export type { PolicyMode, PortProtocol } from './constructs/policy/port-policy';
export type { RateLimitOptions, RateOverride } from './constructs/policy/rate-limit';
export type { HttpMethod, HttpRequests } from './constructs/policy/requests';
export { type SelectedPods, type ServiceManifest, type WorkloadGroup, Workloads } from './constructs/policy/workloads';
export { CertRotationCronJob, type CertRotationCronJobProps } from './constructs/rotation/cert-rotation-cron-job';
export { JaegerToTempo, type JaegerToTempoProps } from './constructs/tracing/jaeger-to-tempo';
export type { TempoProps } from './constructs/tracing/tempo';
export type { DashboardIngressProps, DashboardTls } from './constructs/viz/dashboard-tls';
export type { GatewayIngressProps } from './constructs/viz/gateway-dashboard';
export { Grafana, type GrafanaServiceProps, type GrafanaUrlProps } from './constructs/viz/grafana';
export { type GrafanaDashboardsProps, grafanaDashboardValues } from './constructs/viz/grafana-dashboards';
export { DashboardIngress } from './constructs/viz/ingress';
export type { NginxIngressProps } from './constructs/viz/nginx-ingress';
export {
  type EmbeddedPrometheusProps,
  Prometheus,
  type PrometheusPersistence,
  type PrometheusUrlProps,
  type ServiceAccountRef,
} from './constructs/viz/prometheus';
export type { TraefikIngressProps } from './constructs/viz/traefik-ingress';
export { Viz, type VizProps } from './constructs/viz/viz';
export { AppProject, type AppProjectProps } from './gitops/argocd/app-project';
export type { ApplicationFolder } from './gitops/argocd/application-folder';
export { ApplicationSet, type ApplicationSetProps } from './gitops/argocd/application-set';
export type { ApplicationSetOptions, ApplicationsSync } from './gitops/argocd/application-set-options';
export type { ArgoCdProps } from './gitops/argocd/argocd-objects';
export type { GitSource } from './gitops/argocd/git-source';
export type { ClusterResource, Destination, NamespacedResource } from './gitops/argocd/permissions';
export type { FurtherPermits } from './gitops/argocd/permits';
export type { ProjectRole, RoleAction } from './gitops/argocd/project-roles';
export type { RetryProps } from './gitops/argocd/retry';
export type { Ring, RingClusters } from './gitops/argocd/ring';
export type { PrometheusService, RingHealth } from './gitops/argocd/ring-health';
export type { SyncStrategy } from './gitops/argocd/rolling-sync';
export type { SyncWindow } from './gitops/argocd/sync-windows';
export type { Fleet, Target } from './gitops/argocd/target';
export { type Delivery, HelmRelease, type HelmReleaseProps } from './gitops/charts/helm-release';
export type { Patchable } from './gitops/charts/object-patches';
export type { Shard } from './gitops/platform/chosen-clusters';
export type { ClusterEntry } from './gitops/platform/cluster-entry';
export type { SynthOptions } from './gitops/platform/command-line';
export type { Acknowledgements } from './gitops/platform/output-run';
export { Platform, type PlatformProps } from './gitops/platform/platform';
export { SynthError, type SynthReport } from './gitops/platform/report';
export type { GivenRings } from './gitops/platform/rings';
export type { Difference } from './gitops/synth/output/output-writer';
export { type AcknowledgeOptions, Warnings } from './gitops/tree/add-rule';
export type { Cluster, ClusterDestination, ClusterProps, ClusterSource } from './gitops/tree/cluster';
export type { ClusterReference } from './gitops/tree/cluster-reference';
export type { IgnoreDifference } from './gitops/tree/ignore-difference';
export type { Meshable, PlusResource, PlusWorkload } from './gitops/tree/meshable';
export type { Mirror } from './gitops/tree/mirror';
export { ensureNamespace, type NamespaceMetadata } from './gitops/tree/namespace';
export {
  type BundledImageProps,
  type ImagePullProps,
  OperatorImage,
} from './gitops/tree/operator-image';
export { dependsOn } from './gitops/tree/order';
export {
  addFindings,
  type CamelCase,
  type OwnFactories,
  type OwnFinding,
  type OwnFindings,
  ownFindings,
} from './gitops/tree/own-findings';
export type { IPreparable } from './gitops/tree/prepare';
export { declareReferences } from './gitops/tree/references';
export type { Transform, TransformedObject, TransformPlace } from './gitops/tree/transform';
