import { describeObject, type KubernetesObject } from '../../validation/kubernetes-object';
import { type LocatedProblem, locate } from '../../validation/located';
import { checkDnsLabel } from '../../validation/names';
import type { Problem } from '../../validation/problem';
import type { PlacedObject, PlacedRelease } from '../cluster-tree';
import { apiGroup } from '../scope';
import { MAX_FILE_NAME_LENGTH, objectFileName } from './file-names';

/** An object and the name of its file. */
interface ObjectFile extends PlacedObject {
  readonly file: string;
}

/** One namespace folder, which becomes one Argo CD Application. */
export interface Folder {
  readonly namespace: string;
  readonly objects: readonly ObjectFile[];
  readonly releases: readonly PlacedRelease[];
}

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

/** What of the output cannot be written, or would be written twice. */
export function checkLayout(folders: readonly Folder[]): readonly LocatedProblem[] {
  const objects = folders.flatMap((folder) => folder.objects.map((placed) => ({ placed, folder: folder.namespace })));
  return [
    ...repeated(objects, ({ placed }) => identity(placed.object), sameObject),
    ...folders.flatMap((folder) =>
      repeated(
        folder.objects.map((placed) => ({ placed, folder: folder.namespace })),
        ({ placed }) => placed.file,
        sameFile,
      ),
    ),
    ...folders.flatMap((folder) =>
      repeated(
        folder.releases.map((placed) => ({ placed, folder: folder.namespace })),
        ({ placed }) => placed.release.chart.name,
        sameChart,
      ),
    ),
    ...objects.flatMap(({ placed }) => locate(placed.path, checkFileName(placed))),
    ...folders.flatMap(checkFolderName),
  ];
}

interface InFolder<T> {
  readonly placed: T;
  readonly folder: string;
}

function repeated<T extends { readonly path: string }>(
  items: readonly InFolder<T>[],
  keyOf: (item: InFolder<T>) => string,
  problem: (first: InFolder<T>, second: InFolder<T>) => Problem | undefined,
): readonly LocatedProblem[] {
  const known = new Map<string, InFolder<T>>();
  return items.flatMap((item) => {
    const key = keyOf(item);
    const first = known.get(key);
    if (first === undefined) known.set(key, item);
    const found = first && problem(first, item);
    return found === undefined ? [] : locate(item.placed.path, [found]);
  });
}

function identity({ apiVersion, kind, metadata }: KubernetesObject): string {
  return `${apiGroup(apiVersion)}/${kind}/${metadata.namespace ?? ''}/${metadata.name}`;
}

function sameObject(first: InFolder<ObjectFile>, second: InFolder<ObjectFile>): Problem {
  return {
    what: `${describeObject(second.placed.object)} is emitted here and by ${first.placed.path}`,
    why: 'Either would overwrite the other, in the output or at every sync',
    fix: 'give one of them another name or namespace, or remove it',
  };
}

function sameFile(first: InFolder<ObjectFile>, second: InFolder<ObjectFile>): Problem | undefined {
  // The same object twice is reported as that.
  if (identity(first.placed.object) === identity(second.placed.object)) return undefined;
  const file = `${second.folder}/${second.placed.file}`;
  return {
    what: `${file} is the file of ${describeObject(second.placed.object)} and of an object of ${first.placed.path}`,
    why: 'One would overwrite the other',
    fix: 'give one of them another name',
  };
}

function sameChart(first: InFolder<PlacedRelease>, second: InFolder<PlacedRelease>): Problem {
  const { name } = second.placed.release.chart;
  return {
    what: `Chart ${name} is released in namespace ${second.folder} here and by ${first.placed.path}`,
    why: "The folder's umbrella chart gives each chart its values by name, so both would get the same",
    fix: 'release it once in a namespace',
  };
}

/**
 * A folder's name becomes part of a path. The namespace of an object is checked with the object; that of a chart, and
 * that which a component gives to cluster-scoped objects, only here.
 */
function checkFolderName({ namespace, objects, releases }: Folder): readonly LocatedProblem[] {
  const [first] = [...releases, ...objects.filter(({ object }) => object.metadata.namespace === undefined)];
  return first === undefined ? [] : locate(first.path, checkDnsLabel('The namespace', namespace));
}

function checkFileName({ object, file }: ObjectFile): readonly Problem[] {
  if (file.length <= MAX_FILE_NAME_LENGTH) return [];
  return [
    {
      what: `The file of ${describeObject(object)} would have a name of ${file.length} characters`,
      why: `File systems take ${MAX_FILE_NAME_LENGTH} at most`,
      fix: 'choose a shorter name for the object',
    },
  ];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
