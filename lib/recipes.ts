/** Recipes for third-party charts: values that make their pods part of the mesh. */
export {
  DstOverride,
  type DstOverrideProps,
  DstOverrideRemoval,
  type DstOverrideRemovalProps,
} from './constructs/recipes/dst-override';
export {
  type IngressNginxProps,
  type IngressNginxValues,
  ingressNginxValues,
  sendToService,
} from './constructs/recipes/ingress-nginx';
export {
  type KubePrometheusStackProps,
  type KubePrometheusStackValues,
  kubePrometheusStackValues,
} from './constructs/recipes/kube-prometheus-stack';
export {
  LonghornMesh,
  type LonghornMeshProps,
  type LonghornProps,
  type LonghornValues,
  longhornValues,
} from './constructs/recipes/longhorn';
export { type TraefikProps, type TraefikValues, traefikValues } from './constructs/recipes/traefik';
export { type VeleroValues, veleroValues } from './constructs/recipes/velero';
