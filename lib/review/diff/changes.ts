import { rememberedOfBoth } from '#base/remembered';
import type { Value } from '#base/values';
import { unmarked } from '#kubernetes/findings/sealed-data';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { identityOf } from '#kubernetes/objects/scope';
import type { FileContents, FileReader } from '../../gitops/changes/file-contents';
import { INDEX_FILE } from '../../gitops/synth/output/cluster-index';
import { schemaOfKind } from '../compare/value-changes';
import type { Sides } from './cluster-side';
import { type ClusterSide, isManifest, type PlacedObject } from './cluster-side';
import { fieldDifferences } from './fields';
import type { Change, FieldDifference, ObjectName } from './model';

/** An object in both outputs that differs. */
export interface ChangedPair {
  readonly before: KubernetesObject;
  readonly after: KubernetesObject;
  readonly fields: readonly FieldDifference[];
}

/** The differing files of a cluster, and the objects in them. */
export interface ClusterChanges {
  readonly changes: readonly Change[];
  readonly added: readonly KubernetesObject[];
  readonly removed: readonly KubernetesObject[];
  readonly changed: readonly ChangedPair[];
}

/** Compares the files of two outputs of a cluster; equal files are not read. */
export function clusterChanges(before: ClusterSide, after: ClusterSide, reader: FileReader): ClusterChanges {
  const [old, next] = [differentFiles(before, after, reader), differentFiles(after, before, reader)];
  const pairs = [...old.objects].flatMap(([id, from]) => {
    const to = next.objects.get(id);
    return to === undefined ? [] : [{ from, to }];
  });
  const [removed, added] = [onlyIn(old.objects, next.objects), onlyIn(next.objects, old.objects)];
  const changes = [
    ...removed.map((of) => objectChange(of, undefined, before)),
    ...added.map((of) => objectChange(undefined, of, after)),
    ...pairs.map(({ from, to }) => objectChange(from, to, after)),
    ...fileChanges(old.files, next.files, { before, after }),
  ];
  return {
    changes: changes.toSorted((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file))),
    added: added.map(({ object }) => object),
    removed: removed.map(({ object }) => object),
    changed: pairs
      .map(({ from, to }) => ({
        before: from.object,
        after: to.object,
        fields: ofContents(from.contents, to.contents),
      }))
      .filter(({ fields }) => fields.length > 0),
  };
}

interface DifferentFiles {
  readonly objects: ReadonlyMap<string, PlacedObject>;
  readonly files: ReadonlyMap<string, FileContents>;
}

function differentFiles(side: ClusterSide, other: ClusterSide, reader: FileReader): DifferentFiles {
  const objects = new Map<string, PlacedObject>();
  const files = new Map<string, FileContents>();
  for (const [file, text] of side.texts) {
    // Argo CD does not read the index, and the files in it are compared themselves.
    if (file === INDEX_FILE || other.texts.get(file) === text) continue;
    const contents: FileContents = isManifest(file)
      ? reader.read(file, text)
      : { is: 'unreadable', reason: 'not a manifest' };
    if (contents.is !== 'object') files.set(file, contents);
    else {
      const id = identityOf(contents.object);
      objects.set(objects.has(id) ? `${id} in ${file}` : id, { file, object: contents.object, contents });
    }
  }
  return { objects, files };
}

function onlyIn(
  objects: ReadonlyMap<string, PlacedObject>,
  others: ReadonlyMap<string, PlacedObject>,
): readonly PlacedObject[] {
  return [...objects].filter(([id]) => !others.has(id)).map(([, object]) => object);
}

function objectChange(from: PlacedObject | undefined, to: PlacedObject | undefined, side: ClusterSide): Change {
  const { file = '', object } = to ?? from ?? {};
  const fields = fieldsOf(from?.contents, to?.contents);
  return withoutSecretNames({
    file,
    ...(from !== undefined && to !== undefined && from.file !== to.file ? { movedFrom: from.file } : {}),
    ...(object === undefined ? {} : { object: nameOf(object) }),
    change: kindOf(from, to, fields),
    ...(side.listed.has(file) ? {} : { unlisted: true }),
    fields,
  });
}

function kindOf(from: unknown, to: unknown, fields: readonly FieldDifference[]): Change['change'] {
  if (from === undefined) return 'added';
  if (to === undefined) return 'removed';
  return fields.length === 0 ? 'reworded' : 'changed';
}

const ofContents = rememberedOfBoth((before: FileContents, after: FileContents): readonly FieldDifference[] => {
  const [old, next] = [dataOf(before), dataOf(after)];
  const schema = after.is === 'object' ? schemaOfKind(after.object.apiVersion, after.object.kind) : undefined;
  return fieldDifferences(old, next, schema);
});

function dataOf(contents: FileContents): Value | undefined {
  if (contents.is === 'object') return contents.object as Value;
  return contents.is === 'unreadable' ? undefined : contents.data;
}

function nameOf({ apiVersion, kind, metadata: { namespace, name } }: KubernetesObject): ObjectName {
  return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

function fileChanges(
  old: ReadonlyMap<string, FileContents>,
  next: ReadonlyMap<string, FileContents>,
  sides: Sides,
): readonly Change[] {
  return [...new Set([...old.keys(), ...next.keys()])].map((file) => {
    const [from, to] = [old.get(file), next.get(file)];
    const side = to === undefined ? sides.before : sides.after;
    const fields = fieldsOf(from, to);
    const isUnreadable = [from, to].some((contents) => contents?.is === 'unreadable');
    return withoutSecretNames({
      file,
      change: isUnreadable ? 'unreadable' : kindOf(from, to, fields),
      ...(side.listed.has(file) ? {} : { unlisted: true }),
      fields,
    });
  });
}

function fieldsOf(from: FileContents | undefined, to: FileContents | undefined): readonly FieldDifference[] {
  if (from !== undefined && to !== undefined) return ofContents(from, to);
  return fieldDifferences(from && dataOf(from), to && dataOf(to));
}

/** The secrets in `fields` are already hidden. */
function withoutSecretNames({ fields, ...names }: Change): Change {
  return { ...unmarked(names), fields };
}
