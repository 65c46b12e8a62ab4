import type { PodSpec, Volume, VolumeMount } from '../../../../imports/kubernetes';
import { KUBE_API_ACCESS, KUBE_API_ACCESS_MOUNT } from '../../pod/kube-api-access';
import type { VizView } from '../viz-view';

/** The mount of the token with which a container calls the API server, where Kubernetes does not mount it. */
export function tokenMounts({ templates }: VizView): readonly VolumeMount[] {
  return templates.tokenMount === 'container' ? [KUBE_API_ACCESS_MOUNT] : [];
}

/** The volume of that token. */
export function tokenVolumes({ templates }: VizView): readonly Volume[] {
  return templates.tokenMount === 'container' ? [KUBE_API_ACCESS] : [];
}

/** Keeps Kubernetes from mounting the token where containers do. */
export function tokenMounting({ templates }: VizView): Pick<PodSpec, 'automountServiceAccountToken'> {
  return templates.tokenMount === 'container' ? { automountServiceAccountToken: false } : {};
}
