import { type Finding, findingsAt } from '#base/findings/finding';
import { listed } from '#base/findings/listed';
import type { Problem } from '#base/findings/problem';
import { checkDnsLabel } from '#kubernetes/names';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import type { PlacedRelease } from '#lib/checks/cluster/checked-cluster';
import type { PlacedObject } from '#lib/checks/object-rule';
import { isClusterScoped, isKnownGroup } from '#linkerd/api-groups';
import { SYNTH_FINDINGS } from '../findings';
import { MAX_FILE_NAME_LENGTH, objectFileName } from './file-names';

interface ObjectFile extends PlacedObject {
  readonly file: string;
}

/** One namespace folder, which becomes one Argo CD Application. */
export interface Folder {
  readonly namespace: string;
  readonly objects: readonly ObjectFile[];
  readonly releases: readonly PlacedRelease[];
}

/** Returns the namespace folders of a cluster, by name, with their contents in a fixed order. */
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

/**
 * Returns the folder of an object. A cluster-scoped object is in the folder of its component, a Namespace in its own.
 */
export function folderOf({ object, home }: PlacedObject): string {
  const isNamespace = object.kind === 'Namespace' && apiGroup(object.apiVersion) === '';
  return object.metadata.namespace ?? (isNamespace ? object.metadata.name : home);
}

/** Reports output that cannot be written, or would be written twice. */
export function checkLayout(folders: readonly Folder[]): readonly Finding[] {
  const objects = folders.flatMap((folder) => folder.objects);
  return [
    ...checkRepetitions(folders),
    ...objects.flatMap((placed) => findingsAt(placed.path, [...checkScope(placed.object), ...checkFileName(placed)])),
    ...folders.flatMap(checkFolderName),
  ];
}

/**
 * Checks a folder's name, which becomes part of a path. The namespace of an object is checked with the object; that of
 * a chart, and that of cluster-scoped objects of a component, only here.
 */
function checkFolderName({ namespace, objects, releases }: Folder): readonly Finding[] {
  const unchecked = objects.filter(({ object }) => object.metadata.namespace === undefined && !isNamespace(object));
  const [first] = [...releases, ...unchecked];
  return first === undefined ? [] : findingsAt(first.path, checkDnsLabel('namespace', namespace));
}

function isNamespace({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === 'Namespace' && apiGroup(apiVersion) === '';
}

/** Checks that an object of a kind that is known to be namespaced has a namespace, and so a folder. */
export function checkScope(object: KubernetesObject): readonly Problem[] {
  const isPlaced = object.metadata.namespace !== undefined || isClusterScoped(object);
  if (isPlaced || !isKnownGroup(apiGroup(object.apiVersion))) return [];
  return [SYNTH_FINDINGS.objectIncompleteNamespace({ object: describeObject(object) })];
}

/** Checks that an object's name fits into its file name. */
export function checkFileName({ object, file }: Pick<ObjectFile, 'object' | 'file'>): readonly Problem[] {
  if (file.length <= MAX_FILE_NAME_LENGTH) return [];
  const { length } = file;
  return [SYNTH_FINDINGS.nameTooLongFile({ object: describeObject(object), length, most: MAX_FILE_NAME_LENGTH })];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

interface Repetition {
  readonly first: string;
  readonly second: string;
  readonly thing: string;
}

/** Returns one problem for two components, however many objects they have in common. */
function checkRepetitions(folders: readonly Folder[]): readonly Finding[] {
  const repetitions = [
    ...repeated(
      folders.flatMap(({ objects }) => objects),
      ({ object }) => identity(object),
      (_, { object }) => describeObject(object),
    ),
    ...folders.flatMap(({ namespace, objects }) =>
      repeated(
        objects,
        ({ file }) => file,
        // Duplicate objects are reported above.
        (first, second) => (isSameObject(first, second) ? undefined : `the file ${namespace}/${second.file}`),
      ),
    ),
    ...folders.flatMap(({ namespace, releases }) =>
      repeated(
        releases,
        ({ release }) => release.chart.name,
        (_, { release: { chart } }) => `chart ${chart.name} in namespace ${namespace}`,
      ),
    ),
  ];
  const byComponents = new Map<string, Repetition[]>();
  for (const repetition of repetitions) {
    const key = components(repetition).join(' ');
    byComponents.set(key, [...(byComponents.get(key) ?? []), repetition]);
  }
  return [...byComponents.values()].flatMap(describe);
}

function repeated<T extends { readonly path: string }>(
  items: readonly T[],
  keyOf: (item: T) => string,
  nameOf: (first: T, second: T) => string | undefined,
): readonly Repetition[] {
  const known = new Map<string, T>();
  return items.flatMap((item) => {
    const key = keyOf(item);
    const first = known.get(key);
    if (first === undefined) known.set(key, item);
    const thing = first && nameOf(first, item);
    return first === undefined || thing === undefined ? [] : [{ first: first.path, second: item.path, thing }];
  });
}

function components({ first, second }: Repetition): readonly [string, string] {
  const [one, other] = [first.split('/'), second.split('/')];
  const common = one.findIndex((segment, index) => segment !== other[index]);
  const end = common === -1 ? one.length : common + 1;
  return [one.slice(0, end).join('/'), other.slice(0, end).join('/')];
}

const MAX_NAMED = 3;

function describe(repetitions: readonly Repetition[]): readonly Finding[] {
  const [only] = repetitions;
  if (only === undefined) return [];
  const [first, second] = repetitions.length === 1 ? [only.first, only.second] : components(only);
  const things = repetitions.map(({ thing }) => thing);
  return findingsAt(second, [SYNTH_FINDINGS.objectDuplicate({ things: listed(things, MAX_NAMED), other: first })]);
}

function isSameObject(one: ObjectFile, other: ObjectFile): boolean {
  return identity(one.object) === identity(other.object);
}

function identity({ apiVersion, kind, metadata }: KubernetesObject): string {
  return `${apiGroup(apiVersion)}/${kind}/${metadata.namespace ?? ''}/${metadata.name}`;
}
