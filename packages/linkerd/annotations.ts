/**
 * The labels and annotations that Linkerd, its extensions, the operator, Multus and OpenShift read or write.
 *
 * The `config.linkerd.io` keys are those of `linkerd doc` (https://linkerd.io/2-edge/reference/proxy-configuration/) of
 * 2.14 and 2.20; a comment marks keys that are not in both. They are set on pod templates or on namespaces. An
 * annotation of the pod overrides that of the namespace.
 */

/** Annotation of a namespace or pod: whether pods get a proxy. */
export const INJECT = 'linkerd.io/inject';

/** Label of a namespace that excludes its pods and objects from Linkerd's admission webhooks. */
export const ADMISSION_WEBHOOKS = 'config.linkerd.io/admission-webhooks';
/** Label of a control plane's objects, including meshed pods: the control plane's namespace. */
export const CONTROL_PLANE_NS = 'linkerd.io/control-plane-ns';
/** Label of control plane pods: the component's name. */
export const CONTROL_PLANE_COMPONENT = 'linkerd.io/control-plane-component';
/** Annotation of meshed pods: SHA-256 of their trust anchors. */
export const TRUST_ROOT_SHA256 = 'linkerd.io/trust-root-sha256';
/** Label of the control plane's namespace: `true`. */
export const IS_CONTROL_PLANE = 'linkerd.io/is-control-plane';
/** Label of an extension's namespace: the extension's name. */
export const EXTENSION = 'linkerd.io/extension';
/** Label of the CNI plugin's objects: `true`. */
export const CNI_RESOURCE = 'linkerd.io/cni-resource';
/** Label of meshed pods: their namespace. */
export const WORKLOAD_NS = 'linkerd.io/workload-ns';
/** Annotation of meshed pods: the release of their proxy. */
export const PROXY_VERSION_INJECTED = 'linkerd.io/proxy-version';
/** Annotation with which Linkerd's tools mark the objects that they create. */
export const CREATED_BY = 'linkerd.io/created-by';
/** Label of pods that restart when the configuration of the mesh changes. */
export const RECONCILE = 'config.linkerd.io/reconcile';

/** Annotation of a namespace or pod: whether Multus attaches the `linkerd-cni` network. */
export const MULTUS = 'linkerd.io/multus';
/**
 * Annotation with which Multus attaches networks to a pod: NetworkAttachmentDefinitions, comma-separated or as a JSON
 * list.
 */
export const MULTUS_NETWORKS = 'k8s.v1.cni.cncf.io/networks';
/** Annotation of a namespace or pod: the user of the proxy, which linkerd-cni reads, too. */
export const PROXY_UID = 'config.linkerd.io/proxy-uid';
/** Annotation that OpenShift sets on namespaces: `<first user id>/<number of user ids>` of their pods. */
export const OPENSHIFT_UID_RANGE = 'openshift.io/sa.scc.uid-range';

/** Whether application containers wait until the proxy is ready. */
export const PROXY_AWAIT = 'config.linkerd.io/proxy-await';
/** Whether the proxy is a native sidecar: `true` or `false`. From 2.20. */
export const NATIVE_SIDECAR = 'config.linkerd.io/proxy-enable-native-sidecar';
/** Name of NATIVE_SIDECAR from 2.19 on; 2.20 still reads it. */
export const NATIVE_SIDECAR_BETA = 'config.beta.linkerd.io/proxy-enable-native-sidecar';
/** Name of NATIVE_SIDECAR from 2.15 on; 2.20 still reads it. */
export const NATIVE_SIDECAR_ALPHA = 'config.alpha.linkerd.io/proxy-enable-native-sidecar';
/** Seconds by which a preStop hook delays the exit of a proxy that is not a native sidecar. */
export const PROXY_WAIT_BEFORE_EXIT_SECONDS = 'config.alpha.linkerd.io/proxy-wait-before-exit-seconds';
/** How long a stopping proxy lets open connections finish, as a Go duration. */
export const SHUTDOWN_GRACE_PERIOD = 'config.linkerd.io/shutdown-grace-period';
/** Timeout of half-closed connections (`nf_conntrack_tcp_timeout_close_wait`), as a Go duration. */
export const CLOSE_WAIT_TIMEOUT = 'config.linkerd.io/close-wait-timeout';

/** Ports that are proxied without protocol detection: comma-separated numbers and ranges `a-b`. */
export const OPAQUE_PORTS = 'config.linkerd.io/opaque-ports';
/** Inbound ports that bypass the proxy. */
export const SKIP_INBOUND_PORTS = 'config.linkerd.io/skip-inbound-ports';
/** Outbound ports that bypass the proxy. */
export const SKIP_OUTBOUND_PORTS = 'config.linkerd.io/skip-outbound-ports';
/** Subnets whose inbound connections bypass the proxy: comma-separated CIDRs. */
export const SKIP_SUBNETS = 'config.linkerd.io/skip-subnets';
/** Container ports of the pod, if a webhook adds containers after the injector has run. Ignored from edge-24.4.2 on. */
export const POD_INBOUND_PORTS = 'config.linkerd.io/pod-inbound-ports';
export const CONTROL_PORT = 'config.linkerd.io/control-port';
export const ADMIN_PORT = 'config.linkerd.io/admin-port';
export const INBOUND_PORT = 'config.linkerd.io/inbound-port';
export const OUTBOUND_PORT = 'config.linkerd.io/outbound-port';
/** The policy for connections if no Server selects the pod. */
export const DEFAULT_INBOUND_POLICY = 'config.linkerd.io/default-inbound-policy';
/** Inbound ports at which a proxy accepts only meshed clients: comma-separated numbers. */
export const REQUIRE_IDENTITY_INBOUND_PORTS = 'config.linkerd.io/proxy-require-identity-inbound-ports';
/** Makes a proxy the gateway through which other clusters reach services of this one: `true`. */
export const ENABLE_GATEWAY = 'config.linkerd.io/enable-gateway';

export const PROXY_CPU_REQUEST = 'config.linkerd.io/proxy-cpu-request';
export const PROXY_CPU_LIMIT = 'config.linkerd.io/proxy-cpu-limit';
/** Worker threads of the proxy as a ratio of the node's CPUs. Not in 2.14. */
export const PROXY_CPU_RATIO_LIMIT = 'config.linkerd.io/proxy-cpu-ratio-limit';
export const PROXY_MEMORY_REQUEST = 'config.linkerd.io/proxy-memory-request';
export const PROXY_MEMORY_LIMIT = 'config.linkerd.io/proxy-memory-limit';
export const PROXY_EPHEMERAL_STORAGE_REQUEST = 'config.linkerd.io/proxy-ephemeral-storage-request';
export const PROXY_EPHEMERAL_STORAGE_LIMIT = 'config.linkerd.io/proxy-ephemeral-storage-limit';
/** Group that the proxy runs as. Not in 2.14. */
export const PROXY_GID = 'config.linkerd.io/proxy-gid';

/** Log filter of the proxy, such as `warn,linkerd=info`. */
export const PROXY_LOG_LEVEL = 'config.linkerd.io/proxy-log-level';
/** Log format of the proxy: `plain` or `json`. */
export const PROXY_LOG_FORMAT = 'config.linkerd.io/proxy-log-format';
/** Headers in the proxy's log: `insecure` logs those with credentials, too. Not in 2.14. */
export const PROXY_LOG_HTTP_HEADERS = 'config.linkerd.io/proxy-log-http-headers';
/** Whether the proxy's metrics have hostnames. Not in 2.14. */
export const PROXY_METRICS_HOSTNAME_LABELS = 'config.linkerd.io/proxy-metrics-hostname-labels';
/** Whether the proxy has an endpoint that stops it: `enabled` or `disabled`. Not in 2.14. */
export const PROXY_ADMIN_SHUTDOWN = 'config.linkerd.io/proxy-admin-shutdown';
/** HTTP access log of the proxy: `apache` or `json`. */
export const ACCESS_LOG = 'config.linkerd.io/access-log';
export const PROXY_IMAGE = 'config.linkerd.io/proxy-image';
export const PROXY_VERSION = 'config.linkerd.io/proxy-version';
export const IMAGE_PULL_POLICY = 'config.linkerd.io/image-pull-policy';
/** Image of the init container. Only up to edge-25.11.2: later releases use the proxy's own image. */
export const INIT_IMAGE = 'config.linkerd.io/init-image';
/** Version of the image of the init container. Only up to edge-25.11.2. */
export const INIT_IMAGE_VERSION = 'config.linkerd.io/init-image-version';
export const DEBUG_IMAGE = 'config.linkerd.io/debug-image';
export const DEBUG_IMAGE_VERSION = 'config.linkerd.io/debug-image-version';
export const DEBUG_IMAGE_PULL_POLICY = 'config.linkerd.io/debug-image-pull-policy';
/** Whether pods get the debug container: `true`. */
export const ENABLE_DEBUG_SIDECAR = 'config.linkerd.io/enable-debug-sidecar';
/** Environment variables of the proxy, as a JSON list of EnvVar objects. From edge-26.4.3 on. */
export const PROXY_ADDITIONAL_ENV = 'config.linkerd.io/proxy-additional-env';

/** Whether ServiceProfiles apply to services outside the cluster: `true`. */
export const ENABLE_EXTERNAL_PROFILES = 'config.linkerd.io/enable-external-profiles';
export const PROXY_OUTBOUND_CONNECT_TIMEOUT = 'config.linkerd.io/proxy-outbound-connect-timeout';
export const PROXY_INBOUND_CONNECT_TIMEOUT = 'config.linkerd.io/proxy-inbound-connect-timeout';
export const PROXY_OUTBOUND_DISCOVERY_CACHE_UNUSED_TIMEOUT =
  'config.linkerd.io/proxy-outbound-discovery-cache-unused-timeout';
export const PROXY_INBOUND_DISCOVERY_CACHE_UNUSED_TIMEOUT =
  'config.linkerd.io/proxy-inbound-discovery-cache-unused-timeout';
export const PROXY_DISABLE_OUTBOUND_PROTOCOL_DETECT_TIMEOUT =
  'config.linkerd.io/proxy-disable-outbound-protocol-detect-timeout';
export const PROXY_DISABLE_INBOUND_PROTOCOL_DETECT_TIMEOUT =
  'config.linkerd.io/proxy-disable-inbound-protocol-detect-timeout';

/** Address of the trace collector, for the Jaeger extension of 2.14. */
export const TRACE_COLLECTOR = 'config.linkerd.io/trace-collector';
/** Service account of the trace collector, for the Jaeger extension of 2.14. */
export const TRACE_COLLECTOR_SERVICE_ACCOUNT = 'config.alpha.linkerd.io/trace-collector-service-account';
/** Annotation that the Jaeger extension sets on pods whose traces it collects. */
export const JAEGER_TRACING_ENABLED = 'jaeger.linkerd.io/tracing-enabled';
/** Whether tap is disabled for pods: `true`. */
export const VIZ_DISABLE_TAP = 'viz.linkerd.io/disable-tap';
/** Annotation that the Viz extension sets on pods that can be tapped. */
export const VIZ_TAP_ENABLED = 'viz.linkerd.io/tap-enabled';
/** Annotation of Viz's namespace: URL of an external Prometheus. */
export const VIZ_EXTERNAL_PROMETHEUS = 'viz.linkerd.io/external-prometheus';

/** Label of a Service that linked clusters mirror: `true`, or `remote-discovery`. */
export const MIRROR_EXPORTED = 'mirror.linkerd.io/exported';
/** Label of a Service that linked clusters join to one: `member`. Not in 2.14. */
export const MIRROR_FEDERATED = 'mirror.linkerd.io/federated';

/** Label of a namespace: the Pod Security Standard that its pods must meet. */
export const POD_SECURITY_ENFORCE = 'pod-security.kubernetes.io/enforce';

/** Annotation of the identity issuer's Certificate: the accepted changes of the trust anchor, separated by `;`. */
export const ACCEPTED_ANCHOR_CHANGE = 'cdk8s-linkerd/accepted-anchor-change';

/**
 * Annotation of the identity issuer's Certificate: the trust anchor's generation, only for an explicit generation 0.
 */
export const GIVEN_GENERATION = 'cdk8s-linkerd/anchor-generation';
