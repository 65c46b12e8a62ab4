import type { LocalObjectReference, ObjectMeta, ServiceAccount } from '../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { isEmpty } from '../empty';

/** Values that say with which Secrets images are pulled. */
interface PullSecrets {
  readonly imagePullSecrets: readonly LocalObjectReference[] | undefined;
}

/** A ServiceAccount with what its pods need to pull images. */
export function serviceAccount(
  { imagePullSecrets }: PullSecrets,
  metadata: ObjectMeta & { readonly name: string; readonly namespace: string },
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata,
    imagePullSecrets: isEmpty(imagePullSecrets) ? undefined : imagePullSecrets,
  } satisfies ServiceAccount;
}
