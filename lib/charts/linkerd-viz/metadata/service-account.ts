import type { ObjectMeta, ServiceAccount } from '../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { isEmpty } from '../../empty';
import type { VizView } from '../viz-view';

/** A ServiceAccount with what its pods need to pull images. */
export function serviceAccount(
  { imagePullSecrets }: VizView,
  metadata: ObjectMeta & { readonly name: string; readonly namespace: string },
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata,
    imagePullSecrets: isEmpty(imagePullSecrets) ? undefined : imagePullSecrets,
  } satisfies ServiceAccount;
}
