import { isMap, type Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { CREATED_BY } from '../annotations';
import type { LinkerdPart } from '../releases/charts';

/** Workloads that the charts restart when RBAC or webhooks change, although their pods read neither. */
const UNCHECKED: Readonly<Partial<Record<LinkerdPart, readonly string[]>>> = {
  controlPlane: ['linkerd-destination'],
  viz: ['metrics-api', 'tap', 'tap-injector'],
  jaeger: ['jaeger-injector'],
};

/**
 * Applies the intended differences of the library's renderers to the objects of a chart, as far as they do not depend
 * on the cluster.
 */
export function amend(
  objects: readonly KubernetesObject[],
  { part, linkerdVersion }: { readonly part: LinkerdPart; readonly linkerdVersion: string },
): readonly KubernetesObject[] {
  return objects
    .filter(({ kind }) => part !== 'multicluster' || kind !== 'CustomResourceDefinition')
    .map((object) => {
      const isUnchecked = object.kind === 'Deployment' && UNCHECKED[part]?.includes(object.metadata.name) === true;
      return withAnnotations(object, (key, value) => {
        if (key === CREATED_BY) return createdBy(value, linkerdVersion);
        return key === CHECKSUM && isUnchecked ? undefined : value;
      });
    });
}

/** Charts without a value for the release print "nil". */
function createdBy(tool: string, linkerdVersion: string): string {
  const [, version] = /^linkerd\/helm (.*)$/.exec(tool) ?? [];
  if (version === undefined) return tool;
  return `cdk8s-linkerd ${version.includes('<nil>') ? linkerdVersion : version}`;
}

/** The annotation of pods with a hash of their configuration. */
export const CHECKSUM = 'checksum/config';

/** Returns the new value of an annotation; undefined removes it. */
type Change = (key: string, value: string) => string | undefined;

/** Changes the annotations of an object and of its pods. */
export function withAnnotations(object: KubernetesObject, change: Change): KubernetesObject {
  return changedIn(object as unknown as Values, change) as unknown as KubernetesObject;
}

function changedIn(map: Values, change: Change): Values {
  const changed = Object.entries(map).flatMap(([key, value]) => {
    if (!isMap(value)) return [];
    const after = key === 'annotations' ? changedAnnotations(value, change) : changedIn(value, change);
    return after === value ? [] : [[key, after] as const];
  });
  return changed.length === 0 ? map : { ...map, ...Object.fromEntries(changed) };
}

function changedAnnotations(annotations: Values, change: Change): Values {
  const before = Object.entries(annotations);
  const after = before.flatMap(([key, value]) => {
    const changed = typeof value === 'string' ? change(key, value) : value;
    return changed === undefined ? [] : [[key, changed] as const];
  });
  const isSame = after.length === before.length && after.every(([key, value]) => annotations[key] === value);
  return isSame ? annotations : Object.fromEntries(after);
}
