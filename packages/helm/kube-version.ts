/** The default version of Kubernetes of `helm template` in Helm 3.19. */
export const DEFAULT_KUBE_VERSION = 'v1.34.0';
