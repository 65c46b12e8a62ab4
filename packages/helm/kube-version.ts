/** The version of Kubernetes for which Helm 3.19 renders charts by default. */
export const DEFAULT_KUBE_VERSION = 'v1.34.0';
