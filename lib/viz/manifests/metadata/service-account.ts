import type { ObjectMeta, ServiceAccount } from '../../../../imports/kubernetes';
import { isEmpty } from '../../../linkerd/manifests/empty';
import type { KubernetesObject } from '../../../validation/kubernetes-object';
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
