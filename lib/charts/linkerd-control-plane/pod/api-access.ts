import type { PodSpec, Volume, VolumeMount } from '../../../../imports/kubernetes';
import type { ControlPlaneTemplates } from '../../../releases/linkerd/control-plane';
import { KUBE_API_ACCESS, KUBE_API_ACCESS_MOUNT } from '../../pod/kube-api-access';

/** Values that say how a service account's token comes to the controllers. */
export interface ApiAccessValues {
  readonly templates: ControlPlaneTemplates;
}

/** Keeps Kubernetes from mounting the token into all containers of a pod, where the controllers have it otherwise. */
export function tokenAutomount({ templates }: ApiAccessValues): Pick<PodSpec, 'automountServiceAccountToken'> {
  return templates.apiAccess === 'volume' ? { automountServiceAccountToken: false } : {};
}

/** The volume from which the controllers of a pod have the token. */
export function apiAccessVolumes({ templates }: ApiAccessValues): readonly Volume[] {
  return templates.apiAccess === 'volume' ? [KUBE_API_ACCESS] : [];
}

/** The mount at which a controller has the token. */
export function apiAccessMounts({ templates }: ApiAccessValues): readonly VolumeMount[] {
  return templates.apiAccess === 'volume' ? [KUBE_API_ACCESS_MOUNT] : [];
}
