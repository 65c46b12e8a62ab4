// Annotations and labels of pods and namespaces that Linkerd, Multus and OpenShift read or write.

/** Annotation of a namespace or pod: whether Multus attaches the `linkerd-cni` network. */
export const MULTUS = 'linkerd.io/multus';

/** The value of {@link MULTUS} that enables it. */
export const MULTUS_ENABLED = 'enabled';

/** Annotation of a namespace or pod: whether pods get a proxy. */
export const INJECT = 'linkerd.io/inject';

/** The values of {@link INJECT} that inject a proxy. */
export const INJECTED = ['enabled', 'ingress'] as const;

/**
 * Annotation with which Multus attaches networks to a pod: NetworkAttachmentDefinitions, comma-separated or as a JSON
 * list.
 */
export const MULTUS_NETWORKS = 'k8s.v1.cni.cncf.io/networks';

/** Annotation of a namespace or pod: the user of the proxy, which linkerd-cni also reads. */
export const PROXY_UID = 'config.linkerd.io/proxy-uid';

/** Annotation that OpenShift sets on namespaces: `<first user id>/<number of user ids>` of their pods. */
export const OPENSHIFT_UID_RANGE = 'openshift.io/sa.scc.uid-range';

/** Label of control plane pods: the component's name. */
export const CONTROL_PLANE_COMPONENT = 'linkerd.io/control-plane-component';
