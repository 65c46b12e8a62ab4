import { canonicalJson } from '#base/canonical-json';
import { remembered } from '#base/remembered';
import { type Values, valueAt } from '#base/values';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { identityOf } from '#kubernetes/objects/scope';
import { type FileContents, type FileReader, readValues } from '../../gitops/changes/file-contents';
import { type FieldChange, fieldChanges, withMoves } from './field-changes';
import { isNoise } from './noise';

/** An object in both outputs that differs. */
export interface ChangedObject {
  readonly before: KubernetesObject;
  readonly after: KubernetesObject;
  /** The fields that differ, except noise. */
  readonly fields: readonly FieldChange[];
  /** The number of differing fields that are noise. */
  readonly noise: number;
}

interface UnreadableFile {
  readonly path: string;
  readonly reason: string;
}

/** The contents of files that differ, or are in only one of two outputs. */
export interface DifferentFiles {
  readonly added: readonly KubernetesObject[];
  readonly removed: readonly KubernetesObject[];
  readonly changed: readonly ChangedObject[];
  /** Unreadable files of the earlier and of the later output. */
  readonly unreadable: Readonly<Record<Side, readonly UnreadableFile[]>>;
}

/** One of two outputs. */
export type Side = 'before' | 'after';

type Texts = ReadonlyMap<string, string>;

/** The files of an output, and additional objects from its charts. */
export interface Contents {
  readonly files: Texts;
  readonly objects: readonly KubernetesObject[];
}

/** Compares the objects of two outputs; equal files are not read. */
export function differentFiles(before: Contents, after: Contents, reader: FileReader): DifferentFiles {
  const [old, next] = [readDifferent(before, after.files, reader), readDifferent(after, before.files, reader)];
  const shared = [...old.objects].flatMap(([key, object]) => {
    const now = next.objects.get(key);
    return now === undefined ? [] : [{ before: object, after: now }];
  });
  return {
    added: [...next.objects].filter(([key]) => !old.objects.has(key)).map(([, object]) => object),
    removed: [...old.objects].filter(([key]) => !next.objects.has(key)).map(([, object]) => object),
    changed: shared.map(changeOf).filter(({ fields, noise }) => fields.length + noise > 0),
    unreadable: { before: old.unreadable, after: next.unreadable },
  };
}

interface ReadFiles {
  readonly objects: ReadonlyMap<string, KubernetesObject>;
  readonly unreadable: readonly UnreadableFile[];
}

function readDifferent({ files, objects: others }: Contents, known: Texts, reader: FileReader): ReadFiles {
  const objects = new Map(others.map((object) => [identityOf(object), object]));
  const unreadable: UnreadableFile[] = [];
  for (const [path, text] of files) {
    if (known.get(path) === text) continue;
    const contents: FileContents = reader.read(path, text);
    if (contents.is === 'object') objects.set(identityOf(contents.object), contents.object);
    if (contents.is === 'unreadable') unreadable.push({ path, reason: contents.reason });
  }
  return { objects, unreadable };
}

/** Clusters of a fleet share objects, so each pair of objects is compared only once. */
const known = remembered((_: KubernetesObject) => new WeakMap<KubernetesObject, ChangedObject>());

function changeOf({ before, after }: Pick<ChangedObject, Side>): ChangedObject {
  const changes = known(before);
  const found = changes.get(after);
  if (found !== undefined) return found;
  const all = withMoves(fieldChanges(comparable(before), comparable(after)));
  const fields = all.filter((field) => !isNoise(field));
  const change = { before, after, fields, noise: all.length - fields.length };
  changes.set(after, change);
  return change;
}

/** Parses the values in the ConfigMap of the control plane, which contains them as text. */
function comparable(object: KubernetesObject): Values {
  const values = meshValues(object);
  const data = object.data as Values;
  return (values === undefined ? object : { ...object, data: { ...data, values } }) as Values;
}

/** Returns the values of the control plane if an object is their ConfigMap and they can be parsed. */
export const meshValues = remembered((object: KubernetesObject): Values | undefined => {
  const values = isMeshConfig(object) ? valueAt(object as Values, 'data.values') : undefined;
  return typeof values === 'string' ? readValues(values) : undefined;
});

/** Returns true for the ConfigMap with the values of the control plane. */
export function isMeshConfig({ kind, metadata }: KubernetesObject): boolean {
  return kind === 'ConfigMap' && metadata.name === 'linkerd-config';
}

/** The fields that change equally in several objects, and the names of these objects. */
export interface ChangeGroup {
  readonly objects: readonly string[];
  readonly fields: readonly FieldChange[];
}

/** Groups equal changes of fields, except noise, by the objects in which they occur. */
export function changeGroups(changed: readonly ChangedObject[]): readonly ChangeGroup[] {
  const objectsByField = new Map<string, { field: FieldChange; objects: string[] }>();
  for (const { after, fields } of changed) {
    for (const field of fields) {
      const key = canonicalJson({ ...field });
      const known = objectsByField.get(key) ?? { field, objects: [] };
      known.objects.push(describeObject(after));
      objectsByField.set(key, known);
    }
  }
  const groups = new Map<string, { objects: readonly string[]; fields: FieldChange[] }>();
  for (const { field, objects } of objectsByField.values()) {
    const key = JSON.stringify(objects);
    const group = groups.get(key) ?? { objects, fields: [] };
    group.fields.push(field);
    groups.set(key, group);
  }
  return [...groups.values()];
}
