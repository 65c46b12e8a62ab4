import type { Container, VolumeMount } from '../../../../../imports/kubernetes';
import { type ControllerImageValues, controllerImage } from '../../pod/images';
import { type ApiAccessValues, apiAccessMounts } from '../../pod/kube-api-access';
import { unprivileged } from '../../pod/security-context';

/** Values that all controllers have in common. */
export interface ControllerValues extends ControllerImageValues, ApiAccessValues {
  readonly controllerUID: number | undefined;
  readonly controllerGID: number | undefined;
}

/** A container of the controllers' image unless it has one, which calls the API server and can do nothing else. */
export function controller(
  values: ControllerValues,
  container: Container,
  volumeMounts: readonly VolumeMount[] = [],
): Container {
  const mounts = [...volumeMounts, ...apiAccessMounts(values)];
  return {
    ...controllerImage(values),
    ...container,
    securityContext: unprivileged(values.controllerUID, values.controllerGID),
    ...(mounts.length > 0 ? { volumeMounts: mounts } : {}),
  };
}
