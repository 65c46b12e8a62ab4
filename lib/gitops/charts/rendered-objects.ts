import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { remembered, rememberedOfBoth } from '../../kubernetes/remembered';
import { apiGroup } from '../../kubernetes/scope';
import { plainObject } from '../tree/plain-json';
import type { PlainObject } from '../tree/prepare';

type Render = readonly KubernetesObject[];

/**
 * The objects of a render as they would be read, where that is known without constructs: where nothing is said of all
 * that is in the chart around.
 *
 * @param checked - the objects that are checked in their places
 */
export function plainObjects(scope: IConstruct, objects: Render, checked: Render): readonly PlainObject[] | undefined {
  const { namespace, labels } = Chart.of(scope);
  if (namespace !== undefined || Object.keys(labels).length > 0) return undefined;
  return objects === checked ? readRender(objects) : readAs(objects, checked);
}

/** The id of an object among those of its chart. */
export function idOf({ apiVersion, kind, metadata: { namespace = '', name } }: KubernetesObject): string {
  return [apiGroup(apiVersion), kind, namespace, name].join(':').toLowerCase();
}

/** The objects of a render, each with that of another which is checked in its place. */
const readAs = rememberedOfBoth((objects: Render, checked: Render): readonly PlainObject[] | undefined => {
  const known = new Map(readRender(checked)?.map(({ id, object }) => [id, object]));
  return readRender(objects)?.map(({ id, object }) => {
    const checkedAs = known.get(id);
    return checkedAs === object ? { id, object } : { id, object, checkedAs };
  });
});

/** The objects of a render by their ids, as they are read; undefined where one has to be read as a construct. */
const readRender = remembered((objects: Render): readonly PlainObject[] | undefined => {
  const read = objects.map((rendered) => ({ id: idOf(rendered), object: readRendered(rendered) }));
  const ids = new Set(read.map(({ id }) => id));
  return ids.size === read.length && read.every(isRead) ? read : undefined;
});

/** Read once for all renders that have it in common. */
const readRendered = remembered(plainObject);

function isRead(read: { readonly id: string; readonly object: KubernetesObject | undefined }): read is PlainObject {
  return read.object !== undefined;
}
