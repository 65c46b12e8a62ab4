import type { Annotations } from '../meshing/config/config-annotations';
import type { MeshConfig } from '../meshing/config/mesh-config';
import type { Meshing } from '../meshing/meshing';

/** Props of kubePrometheusStackValues: where kube-prometheus-stack is installed, and how its pods are meshed. */
export interface KubePrometheusStackProps {
  /**
   * Namespace of the release.
   *
   * @default 'monitoring'
   */
  readonly namespace?: string;

  /**
   * Settings of the pods that differ from the mesh's defaults.
   *
   * @default - none
   */
  readonly config?: MeshConfig;
}

/** Values of the chart `kube-prometheus-stack` (https://prometheus-community.github.io/helm-charts). */
export type KubePrometheusStackValues = {
  readonly prometheusOperator: {
    readonly admissionWebhooks: { readonly patch: { readonly podAnnotations: Annotations } };
  };
};

/**
 * Returns values that mesh the pods of kube-prometheus-stack by their namespace, except the jobs that create the
 * certificate of the operator's webhooks: those are Helm hooks, and a proxy that does not exit would make every
 * installation hang (https://github.com/prometheus-community/helm-charts/issues/479).
 *
 * The pods of node-exporter use the network of their node, and Linkerd ignores such pods.
 */
export function kubePrometheusStackValues(
  meshing: Meshing,
  { namespace = 'monitoring', config }: KubePrometheusStackProps = {},
): KubePrometheusStackValues {
  meshing.namespace(namespace, config);
  const podAnnotations = meshing.podAnnotations({}, 'disabled');
  return { prometheusOperator: { admissionWebhooks: { patch: { podAnnotations } } } };
}
