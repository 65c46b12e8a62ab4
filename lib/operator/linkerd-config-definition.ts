import { linkerdConfigCrd } from '../../operator/api/crd/linkerd-config-crd';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { plainCopy } from '../kubernetes/plain-data';
import { keepOnPrune } from '../kubernetes/sync-options';
import { plainObject } from '../tree/plain-json';

let definition: KubernetesObject | undefined;

/** The CustomResourceDefinition of LinkerdConfig as Argo CD gets it: one object for all clusters. */
export function linkerdConfigDefinition(): KubernetesObject {
  definition ??= made();
  return definition;
}

function made(): KubernetesObject {
  const { metadata, ...others } = linkerdConfigCrd();
  // Without it all LinkerdConfigs would go.
  const object = { ...others, metadata: { ...metadata, annotations: keepOnPrune() } };
  const { data } = plainCopy<KubernetesObject>(object, 'definition');
  // As it is read, so that no cluster's need be compared with it.
  return plainObject(data) ?? data;
}
