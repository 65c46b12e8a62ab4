import { linkerdConfigCrd } from '../../operator/api/crd/linkerd-config-crd';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { plainCopy } from '../kubernetes/plain-data';
import { keepOnPrune } from '../kubernetes/sync-options';

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
  return plainCopy<KubernetesObject>(object, 'definition').data;
}
