import type { VolumeMount } from '../../../../../imports/kubernetes';
import { isEmpty } from '../../empty';

/** A volume with a service account's token, as values name it. */
interface TokenMountValues {
  readonly mountPath?: string | undefined;
  readonly name?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

/** Mounts the service account's token where the values say, if they do. */
export function tokenMount(values: TokenMountValues | undefined): readonly VolumeMount[] {
  if (values === undefined || isEmpty(values)) return [];
  return [{ mountPath: values.mountPath ?? '', name: values.name ?? '', readOnly: values.readOnly }];
}
