/** The version of Kubernetes for which Helm 3.19 renders charts, unless it is told another one. */
export const DEFAULT_KUBE_VERSION = 'v1.34.0';
