/** Field manager of everything that the operator writes, and what it calls itself in Events. */
export const FIELD_MANAGER = 'linkerd-reconciler';

/** Lease of the operator's namespace whose holder runs the controllers. */
export const LEASE_NAME = 'linkerd-reconciler';

/** API group of LinkerdConfig. */
export const CONFIG_GROUP = 'config.linkerd.io';

/** Pod template annotation: the configuration that its pods were started for. */
export const CONFIG_ANNOTATION = 'cdk8s-linkerd/config';

/** Pod template annotation: the generation of the trust anchor that its pods were restarted for. */
export const TRUST_ROOTS_ANNOTATION = 'cdk8s-linkerd/trust-roots';

/** Pod template annotation: short hash of the certificates that its pods were started with. */
export const CERTIFICATES_ANNOTATION = 'cdk8s-linkerd/certificates';

/** Annotation of a Deployment: the last rotation run that renewed its certificates and restarted it. */
export const ROTATION_ANNOTATION = 'cdk8s-linkerd/rotation';

/** Pod label with which a workload asks to be restarted when the configuration of the mesh changes. */
export const RECONCILE_LABEL = 'config.linkerd.io/reconcile';

/** The value of {@link RECONCILE_LABEL} that asks for it. */
export const RECONCILE_AUTO = 'auto';

/** Namespace label of Linkerd with which a namespace is kept out of its admission webhooks. */
export const ADMISSION_WEBHOOKS_LABEL = 'config.linkerd.io/admission-webhooks';

/** The value of {@link ADMISSION_WEBHOOKS_LABEL} that keeps it out. */
export const ADMISSION_WEBHOOKS_DISABLED = 'disabled';

/** Label of Linkerd's of what belongs to a control plane, meshed pods included: the control plane's namespace. */
export const CONTROL_PLANE_NS = 'linkerd.io/control-plane-ns';

/** Annotation of meshed pods: SHA-256 of the trust anchors that they were given. */
export const TRUST_ROOT_SHA256 = 'linkerd.io/trust-root-sha256';

/** Finalizer of a LinkerdConfig whose deletion brings the configuration back as it was. */
export const RESTORE_FINALIZER = 'config.linkerd.io/restore';

/** Name of the container that the proxy injector adds to a pod. */
export const PROXY_CONTAINER = 'linkerd-proxy';

/** Name of the webhook that adds the proxy, as an API server names it in its errors. */
export const INJECTOR_WEBHOOK = 'linkerd-proxy-injector.linkerd.io';

/** Label that tells who made an object. */
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';

/** Annotation of the ConfigMap that keeps an installation's values: uid of the LinkerdConfig that works with them. */
export const ADOPTED_BY_ANNOTATION = 'config.linkerd.io/adopted-by';

/** Annotation of the same ConfigMap: hash of the configuration that was in force at the adoption. */
export const ADOPTED_HASH_ANNOTATION = 'config.linkerd.io/adopted-hash';

/** Annotation of the proxy injector's Deployment: the configuration that every injector has, and since when. */
export const INJECTION_ANNOTATION = 'cdk8s-linkerd/injection';

/** Name of the Deployment that injects proxies into pods. */
export const INJECTOR_DEPLOYMENT = 'linkerd-proxy-injector';
