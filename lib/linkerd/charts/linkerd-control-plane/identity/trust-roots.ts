import type { ConfigMap } from '../../../../../imports/kubernetes';
import { TRUST_ROOTS, TRUST_ROOTS_KEY } from '../../../../../operator/api/trust-anchor';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { createdBy } from '../../metadata/created-by';
import { component, labels } from '../../metadata/labels';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';

/** The trust anchors, unless someone else keeps them. */
export function trustRoots(values: ControlPlaneView, { namespace }: RenderContext): readonly KubernetesObject[] {
  if (values.identity.externalCA) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: TRUST_ROOTS,
        namespace,
        labels: labels(values, namespace, component('identity')),
        annotations: createdBy(values),
      },
      data: { [TRUST_ROOTS_KEY]: (values.identityTrustAnchorsPEM ?? '').trim() },
    } satisfies ConfigMap,
  ];
}
