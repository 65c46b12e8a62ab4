import type { Container, VolumeMount } from '../../../../imports/kubernetes';
import { type ControllerImageValues, controllerImage } from '../../pod/images';
import { KUBE_API_ACCESS_MOUNT } from '../../pod/kube-api-access';
import { unprivileged } from '../../pod/security-context';

/** Values that all controllers have in common. */
export interface ControllerValues extends ControllerImageValues {
  readonly controllerUID: number | undefined;
  readonly controllerGID: number | undefined;
}

/** A container of the controllers' image, which calls the API server and can do nothing else. */
export function controller(
  values: ControllerValues,
  container: Container,
  volumeMounts: readonly VolumeMount[] = [],
): Container {
  return {
    ...container,
    ...controllerImage(values),
    securityContext: unprivileged(values.controllerUID, values.controllerGID),
    volumeMounts: [...volumeMounts, KUBE_API_ACCESS_MOUNT],
  };
}
