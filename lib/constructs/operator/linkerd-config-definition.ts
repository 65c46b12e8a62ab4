import { remembered } from '#base/remembered';
import { keepOnPrune } from '#kubernetes/objects/argocd-annotations';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { plainCopy } from '#kubernetes/objects/plain-data';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';
import type { Release } from '#linkerd/releases/release';
import { linkerdConfigCrd } from '#operator/api/crd/linkerd-config-crd';
import type { ImportedSchema, Resolve } from '#operator/api/crd/structural-schema';
import { plainObject } from '../../gitops/tree/plain-json';

/**
 * Returns the CustomResourceDefinition of LinkerdConfig as Argo CD applies it, with the values of the release's control
 * plane: one object for all clusters with that release.
 */
export function linkerdConfigDefinition({ charts }: Release): KubernetesObject {
  return definitionFor(charts.controlPlane);
}

const definitionFor = remembered(({ name, valuesOf = '', linkerdVersion = valuesOf }: PinnedChart) => {
  const { schema, resolve } = resolverIn(`charts/${name}/${valuesOf}`)('#/definitions/Values');
  const { metadata, ...rest } = linkerdConfigCrd({ version: linkerdVersion, valuesOf, schema, resolve });
  // Pruning the definition would delete all LinkerdConfigs.
  const object = { ...rest, metadata: { ...metadata, annotations: keepOnPrune() } };
  const { data } = plainCopy<KubernetesObject>(object, 'definition');
  // Plain data, so that objects of different clusters need no comparison.
  return plainObject(data) ?? data;
});

/** A reference names a schema of the same document (`#/definitions/X`), or of another one. */
function resolverIn(document: string): Resolve {
  return (reference) => {
    const [other, name = ''] = reference.split('#/definitions/');
    const target = other || document;
    const { definitions } = require(`../../../imports/${target}.schema.json`) as {
      readonly definitions: Readonly<Record<string, ImportedSchema>>;
    };
    const schema = definitions[name];
    if (schema === undefined) throw new Error(`There is no schema ${reference} in ${document}`);
    return { schema, resolve: resolverIn(target) };
  };
}
