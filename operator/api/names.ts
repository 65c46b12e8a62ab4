/** Field manager of all of the operator's writes, and its name in Events. */
export const FIELD_MANAGER = 'linkerd-reconciler';

/** Lease in the operator's namespace whose holder runs the controllers. */
export const LEASE_NAME = 'linkerd-reconciler';

/** API group of LinkerdConfig. */
export const CONFIG_GROUP = 'config.linkerd.io';

/** Pod template annotation: the configuration for which its pods were started. */
export const CONFIG_ANNOTATION = 'cdk8s-linkerd/config';

/** Pod template annotation: the generation of the trust anchor for which its pods were restarted. */
export const TRUST_ROOTS_ANNOTATION = 'cdk8s-linkerd/trust-roots';

/** Pod template annotation: short hash of the certificates with which its pods were started. */
export const CERTIFICATES_ANNOTATION = 'cdk8s-linkerd/certificates';

/** Annotation of a Deployment: the last rotation run that renewed its certificates and restarted it. */
export const ROTATION_ANNOTATION = 'cdk8s-linkerd/rotation';

/** Finalizer of a LinkerdConfig whose deletion restores the configuration. */
export const RESTORE_FINALIZER = 'config.linkerd.io/restore';

/** Name of the container that the proxy injector adds to a pod. */
export const PROXY_CONTAINER = 'linkerd-proxy';

/** Name of the webhook that adds the proxy, as in an API server's errors. */
export const INJECTOR_WEBHOOK = 'linkerd-proxy-injector.linkerd.io';

/** Label with the creator of an object. */
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';

/** Annotation of the ConfigMap with an installation's values: uid of the LinkerdConfig that uses them. */
export const ADOPTED_BY_ANNOTATION = 'config.linkerd.io/adopted-by';

/** Annotation of the same ConfigMap: hash of the configuration at the time of the adoption. */
export const ADOPTED_HASH_ANNOTATION = 'config.linkerd.io/adopted-hash';

/** Annotation of the proxy injector's Deployment: the configuration of all injectors, and since when. */
export const INJECTION_ANNOTATION = 'cdk8s-linkerd/injection';

/** Name of the Deployment that injects proxies into pods. */
export const INJECTOR_DEPLOYMENT = 'linkerd-proxy-injector';

/**
 * Annotations of the operator's own objects: Argo CD, which may have created some of them once, neither prunes nor
 * deletes them, and does not report them as a difference.
 */
export const LEFT_ALONE: Readonly<Record<string, string>> = {
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
};
