import type { LocalObjectReference, ObjectMeta, ServiceAccount } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { isEmpty } from '../empty';

/** Renders a ServiceAccount with image pull secrets. */
export function serviceAccount(
  { imagePullSecrets }: { readonly imagePullSecrets: readonly LocalObjectReference[] | undefined },
  metadata: ObjectMeta & { readonly name: string; readonly namespace: string },
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata,
    imagePullSecrets: isEmpty(imagePullSecrets) ? undefined : imagePullSecrets,
  } satisfies ServiceAccount;
}
