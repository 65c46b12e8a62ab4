import { trustAnchorCrd } from '../../../operator/api/crd/trust-anchor-crd';
import { plainObject } from '../../gitops/tree/plain-json';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { plainCopy } from '../../kubernetes/plain-data';
import { keepOnPrune } from '../../kubernetes/sync-options';

/** The CustomResourceDefinition of TrustAnchor as Argo CD gets it. */
export function trustAnchorDefinition(): KubernetesObject {
  return DEFINITION;
}

const DEFINITION = definition();

function definition(): KubernetesObject {
  const { metadata, ...others } = trustAnchorCrd();
  // Without it the TrustAnchor would go, and with it what is remembered of a rotation.
  const object = { ...others, metadata: { ...metadata, annotations: keepOnPrune() } };
  const { data } = plainCopy<KubernetesObject>(object, 'definition');
  return plainObject(data) ?? data;
}
