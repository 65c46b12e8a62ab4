import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { type ReadObject, readObject } from './read-object';
import { unchangedData } from './unchanged-data';

/** All that was read while a tree is read: nothing in it changes meanwhile, and many rules look at the same objects. */
interface Reading {
  readonly objects: Map<ApiObject, ReadObject>;
  readonly around: Map<IConstruct, readonly ApiObject[]>;
}

let reading: Reading | undefined;

/** Reads a tree. Each object is read once meanwhile, whoever asks for it, and each chart searched once. */
export function readingOnce<T>(root: IConstruct, read: () => T): T {
  const outer = reading;
  // Children that are made when they are asked for are made now, so that nothing changes from here on.
  root.node.findAll();
  reading = { objects: new Map(), around: new Map() };
  try {
    return read();
  } finally {
    reading = outer;
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

/** All objects of the chart of `scope`, for rules that look at more than their own construct. */
export function apiObjectsAround(scope: IConstruct): readonly ApiObject[] {
  const chart = Chart.of(scope);
  const known = reading?.around.get(chart);
  if (known !== undefined) return known;
  const found = chart.node.findAll().filter((construct) => ApiObject.isApiObject(construct));
  reading?.around.set(chart, found);
  return found;
}

/**
 * An object as rules of other constructs look at it; nothing where it holds what cannot be written, which is reported
 * with the object itself.
 */
export function jsonOf(object: ApiObject): readonly KubernetesObject[] {
  const unchanged = unchangedData(object);
  if (unchanged !== undefined) return [unchanged];
  const read = readOnce(object);
  return 'object' in read ? [read.object] : [];
}
