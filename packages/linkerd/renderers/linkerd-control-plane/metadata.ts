import { createHash } from 'node:crypto';
import type { LocalObjectReference, ServiceAccount } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { RenderContext } from '../../charts/render-context';
import { isEmpty } from '../empty';
import { component, type LabelValues, labels } from '../metadata/labels';

interface ServiceAccountValues extends LabelValues {
  readonly imagePullSecrets: readonly LocalObjectReference[] | undefined;
}

/** Renders the ServiceAccount `linkerd-<name>` of a component. */
export function serviceAccount(
  values: ServiceAccountValues,
  { namespace }: RenderContext,
  name: string,
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: `linkerd-${name}`, namespace, labels: labels(values, namespace, component(name)) },
    imagePullSecrets: isEmpty(values.imagePullSecrets) ? undefined : values.imagePullSecrets,
  } satisfies ServiceAccount;
}

/** Returns the SHA-256 of a string, in hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
