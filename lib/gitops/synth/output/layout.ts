import type { PlacedObject } from '../../../kubernetes/checks/object-rule';
import { errorsAt, type Finding } from '../../../kubernetes/findings/finding';
import type { Problem } from '../../../kubernetes/findings/problem';
import { describeObject, type KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { checkDnsLabel } from '../../../kubernetes/names';
import { apiGroup } from '../../../kubernetes/scope';
import { isClusterScoped, isKnownGroup } from '../../../linkerd/api-groups';
import type { PlacedRelease } from '../../tree/read-tree';
import { SYNTH_FINDINGS } from '../findings';
import { MAX_FILE_NAME_LENGTH, objectFileName } from './file-names';
import type { Folder, ObjectFile } from './folder';
import { checkRepetitions } from './repetitions';

/** The namespace folders of a cluster, by name, with their contents in a fixed order. */
export function layOut(objects: readonly PlacedObject[], releases: readonly PlacedRelease[]): readonly Folder[] {
  const folders = new Map<string, { objects: ObjectFile[]; releases: PlacedRelease[] }>();
  const folder = (name: string) => {
    const known = folders.get(name) ?? { objects: [], releases: [] };
    folders.set(name, known);
    return known;
  };
  for (const placed of objects) {
    folder(folderOf(placed)).objects.push({ ...placed, file: objectFileName(placed.object) });
  }
  for (const placed of releases) folder(placed.release.namespace).releases.push(placed);
  return [...folders]
    .sort(([a], [b]) => compare(a, b))
    .map(([namespace, contents]) => ({
      namespace,
      objects: contents.objects.sort((a, b) => compare(a.file, b.file)),
      releases: contents.releases.sort((a, b) => compare(a.release.chart.name, b.release.chart.name)),
    }));
}

/** Cluster-scoped objects lie with the component that they belong to, a Namespace with what is in it. */
function folderOf({ object, home }: PlacedObject): string {
  const isNamespace = object.kind === 'Namespace' && apiGroup(object.apiVersion) === '';
  return object.metadata.namespace ?? (isNamespace ? object.metadata.name : home);
}

/** Checks what of the output cannot be written, or would be written twice. */
export function checkLayout(folders: readonly Folder[]): readonly Finding[] {
  const objects = folders.flatMap((folder) => folder.objects);
  return [
    ...checkRepetitions(folders),
    ...objects.flatMap((placed) => errorsAt(placed.path, [...checkScope(placed.object), ...checkFileName(placed)])),
    ...folders.flatMap(checkFolderName),
  ];
}

/**
 * A folder's name becomes part of a path. The namespace of an object is checked with the object; that of a chart, and
 * that which a component gives to cluster-scoped objects, only here.
 */
function checkFolderName({ namespace, objects, releases }: Folder): readonly Finding[] {
  const unchecked = objects.filter(({ object }) => object.metadata.namespace === undefined && !isNamespace(object));
  const [first] = [...releases, ...unchecked];
  return first === undefined ? [] : errorsAt(first.path, checkDnsLabel('namespace', namespace));
}

/** Tells the object of a namespace, whose own name is that of its folder. */
function isNamespace({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === 'Namespace' && apiGroup(apiVersion) === '';
}

/** Checks that it is certain where an object goes. Only of kinds that we know is it certain that they have a namespace. */
export function checkScope(object: KubernetesObject): readonly Problem[] {
  const isPlaced = object.metadata.namespace !== undefined || isClusterScoped(object);
  if (isPlaced || !isKnownGroup(apiGroup(object.apiVersion))) return [];
  return [SYNTH_FINDINGS.objectNamespaceMissing({ object: describeObject(object) })];
}

/** Checks that an object's name fits into the name of its file. */
export function checkFileName({ object, file }: Pick<ObjectFile, 'object' | 'file'>): readonly Problem[] {
  if (file.length <= MAX_FILE_NAME_LENGTH) return [];
  const { length } = file;
  return [SYNTH_FINDINGS.fileNameTooLong({ object: describeObject(object), length, most: MAX_FILE_NAME_LENGTH })];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
