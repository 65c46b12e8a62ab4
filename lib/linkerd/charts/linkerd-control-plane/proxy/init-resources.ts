import type { ResourceRequirements } from '../../../../../imports/kubernetes';
import { resources } from '../../pod/resources';
import type { ControlPlaneView } from '../control-plane-view';
import type { MeshedPod } from './meshed-pod';

/** The resources of the container that redirects a pod's traffic, or waits for that. */
export function initResources(values: ControlPlaneView, pod: MeshedPod): ResourceRequirements | undefined {
  return resources(values.templates.initResources === 'own' ? values.proxyInit.resources : pod.resources);
}
