import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { meshScopeOf } from './mesh-scope';
import { plainObjectsOf } from './prepare';
import { type ReadObject, readObject } from './read-object';
import { isRender } from './releases';

/** An object of a chart, as rules of other constructs look for it. */
export interface ObjectAround {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Tells whether it is rendered for a Helm chart, of whose values there are rules. */
  readonly isRendered: boolean;
  /** Returns it as plain data: see `jsonOf`. */
  readonly json: () => readonly KubernetesObject[];
}

/** All that was read while a tree is read: nothing in it changes meanwhile, and many rules look at the same objects. */
interface Reading {
  readonly objects: Map<ApiObject, ReadObject>;
  readonly around: Map<IConstruct, readonly ObjectAround[]>;
}

let reading: Reading | undefined;

/** Reads a tree that is complete. Until it returns, each object is read once and each chart searched once. */
export function readingOnce<T>(read: () => T): T {
  if (reading !== undefined) return read();
  reading = { objects: new Map(), around: new Map() };
  try {
    return read();
  } finally {
    reading = undefined;
  }
}

/** An object as plain data, or why it is none. */
export function readOnce(object: ApiObject): ReadObject {
  const known = reading?.objects.get(object);
  if (known !== undefined) return known;
  const read = readObject(object);
  reading?.objects.set(object, read);
  return read;
}

/** All objects of the mesh of `scope`, for rules that look at more than their own construct. */
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
    const { apiVersion, kind, name, metadata } = construct;
    const json = () => jsonOf(construct);
    found.push({ apiVersion, kind, name, namespace: metadata.namespace, isRendered, json });
  }
  const plain = plainObjectsOf(construct);
  if (plain === undefined) {
    for (const child of construct.node.children) addObjects(child, isRender(construct), found);
    return;
  }
  for (const { object } of plain) {
    const { apiVersion, kind, metadata } = object;
    const { name, namespace } = metadata;
    found.push({ apiVersion, kind, name, namespace, isRendered: true, json: () => [object] });
  }
}

/**
 * An object as rules of other constructs look at it; nothing where it holds what cannot be written, which is reported
 * with the object itself.
 */
export function jsonOf(object: ApiObject): readonly KubernetesObject[] {
  const read = readOnce(object);
  return 'object' in read ? [read.object] : [];
}
