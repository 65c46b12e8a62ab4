import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { expandList } from './list-objects';
import { meshScopeOf } from './mesh-scope';
import { plainObjectsOf } from './prepare';
import { type ReadObject, readObject } from './read-object';
import { isRender } from './releases';

/** An object of a chart, for rules of other constructs. */
export interface ObjectAround {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  /** It is rendered for a Helm chart, whose values have their own rules. */
  readonly isRendered: boolean;
  /** Returns the object as plain data: see `jsonOf`. */
  readonly json: () => readonly KubernetesObject[];
}

/** The objects that were read. The tree does not change meanwhile, and many rules read the same objects. */
interface Reading {
  readonly objects: Map<ApiObject, ReadObject>;
  readonly around: Map<IConstruct, readonly ObjectAround[]>;
}

let reading: Reading | undefined;

/** Reads a complete tree. Until `read` returns, each object is read once and each chart searched once. */
export function readingOnce<T>(read: () => T): T {
  if (reading !== undefined) return read();
  reading = { objects: new Map(), around: new Map() };
  try {
    return read();
  } finally {
    reading = undefined;
  }
}

/** Returns an object as plain data, or the reason why it is not. */
export function readOnce(object: ApiObject): ReadObject {
  const known = reading?.objects.get(object);
  if (known !== undefined) return known;
  const read = readObject(object);
  reading?.objects.set(object, read);
  return read;
}

/** Returns all objects of the mesh of `scope`, for rules about objects of other constructs. */
export function objectsAround(scope: IConstruct): readonly ObjectAround[] {
  const chart = meshScopeOf(scope);
  const known = reading?.around.get(chart);
  if (known !== undefined) return known;
  const found: ObjectAround[] = [];
  addObjects(chart, false, found);
  reading?.around.set(chart, found);
  return found;
}

function addObjects(construct: IConstruct, isRendered: boolean, found: ObjectAround[]): void {
  if (ApiObject.isApiObject(construct)) {
    const items = listed(construct);
    if (items === undefined) {
      const { apiVersion, kind, name, metadata } = construct;
      const json = () => jsonOf(construct);
      found.push({ apiVersion, kind, name, namespace: metadata.namespace, isRendered, json });
    }
    for (const item of items ?? []) found.push(plainAround(item, isRendered));
  }
  const plain = plainObjectsOf(construct);
  if (plain === undefined) {
    for (const child of construct.node.children) addObjects(child, isRender(construct), found);
    return;
  }
  for (const { object } of plain) found.push(plainAround(object, true));
}

function plainAround(object: KubernetesObject, isRendered: boolean): ObjectAround {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata;
  return { apiVersion, kind, name, namespace, isRendered, json: () => [object] };
}

/** Returns the items of a list; undefined for other objects. */
function listed(construct: ApiObject): readonly KubernetesObject[] | undefined {
  // Untyped code may omit the kind, which is reported at the object.
  if (!`${construct.kind}`.endsWith('List')) return undefined;
  const [read] = jsonOf(construct);
  const items = read && expandList(read, construct.chart);
  return items?.flatMap((item) => ('object' in item ? [item.object] : []));
}

/**
 * Returns an object for rules of other constructs; nothing if it contains data that cannot be written, which is
 * reported at the object itself.
 */
export function jsonOf(object: ApiObject): readonly KubernetesObject[] {
  const read = readOnce(object);
  return 'object' in read ? [read.object] : [];
}
