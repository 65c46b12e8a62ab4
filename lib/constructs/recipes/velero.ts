import type { Annotations } from '../meshing/config/config-annotations';
import type { MeshConfig } from '../meshing/config/mesh-config';
import type { Meshing } from '../meshing/meshing';

/** Values of the chart `velero` (https://vmware-tanzu.github.io/helm-charts). */
export type VeleroValues = {
  /** Annotations of the pods of the server and of the node agents (formerly restic). */
  readonly podAnnotations: Annotations;
};

/**
 * Returns values that mesh Velero's server and its node agents, by annotations of their pods. The chart's jobs, which
 * install its CRDs, stay out of the mesh.
 */
export function veleroValues(meshing: Meshing, config: MeshConfig = {}): VeleroValues {
  return { podAnnotations: meshing.podAnnotations(config) };
}
