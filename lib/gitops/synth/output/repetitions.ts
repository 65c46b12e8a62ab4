import { listed } from '../../../../operator/api/kubernetes/listed';
import { errorsAt, type Finding } from '../../../kubernetes/findings/finding';
import type { Problem } from '../../../kubernetes/findings/problem';
import { describeObject, type KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { apiGroup } from '../../../kubernetes/scope';
import type { PlacedRelease } from '../../tree/read-tree';
import type { Folder, ObjectFile } from './folder';

/** Something that two constructs emit. */
interface Repetition {
  /** Paths of the constructs, in the order of the tree. */
  readonly first: string;
  readonly second: string;
  /** The thing in words. */
  readonly thing: string;
  readonly problem: Problem;
}

/** Checks that nothing is written twice. Two components that have much in common are one problem. */
export function checkRepetitions(folders: readonly Folder[]): readonly Finding[] {
  const repetitions = [
    ...repeated(
      folders.flatMap(({ objects }) => objects),
      ({ object }) => identity(object),
      sameObject,
    ),
    ...folders.flatMap(({ namespace, objects }) =>
      repeated(
        objects,
        ({ file }) => file,
        (first, second) => sameFile(namespace, first, second),
      ),
    ),
    ...folders.flatMap(({ namespace, releases }) =>
      repeated(
        releases,
        ({ release }) => release.chart.name,
        (first, second) => sameChart(namespace, first, second),
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
  describe: (first: T, second: T) => Pick<Repetition, 'thing' | 'problem'> | undefined,
): readonly Repetition[] {
  const known = new Map<string, T>();
  return items.flatMap((item) => {
    const key = keyOf(item);
    const first = known.get(key);
    if (first === undefined) known.set(key, item);
    const found = first && describe(first, item);
    return first === undefined || found === undefined ? [] : [{ first: first.path, second: item.path, ...found }];
  });
}

/** The topmost components in which two constructs lie apart. */
function components({ first, second }: Repetition): readonly [string, string] {
  const [one, other] = [first.split('/'), second.split('/')];
  const common = one.findIndex((segment, index) => segment !== other[index]);
  const end = common === -1 ? one.length : common + 1;
  return [one.slice(0, end).join('/'), other.slice(0, end).join('/')];
}

/** The largest number of things that a problem names. */
const MOST_NAMED = 3;

function describe(repetitions: readonly Repetition[]): readonly Finding[] {
  const [only] = repetitions;
  if (only === undefined) return [];
  if (repetitions.length === 1) return errorsAt(only.second, [only.problem]);
  const [first, second] = components(only);
  const things = repetitions.map(({ thing }) => thing);
  return errorsAt(second, [
    {
      code: 'emitted-twice',
      what: `It emits what ${first} emits, too: ${listed(things, MOST_NAMED)}`,
      why: 'Either would overwrite the other, in the output or at every sync',
      fix: 'remove one of them, or give them names or namespaces of their own; a cluster has one mesh',
    },
  ]);
}

function identity({ apiVersion, kind, metadata }: KubernetesObject): string {
  return `${apiGroup(apiVersion)}/${kind}/${metadata.namespace ?? ''}/${metadata.name}`;
}

function sameObject(first: ObjectFile, second: ObjectFile): Pick<Repetition, 'thing' | 'problem'> {
  const thing = describeObject(second.object);
  return {
    thing,
    problem: {
      code: 'emitted-twice',
      what: `${thing} is emitted here and by ${first.path}`,
      why: 'Either would overwrite the other, in the output or at every sync',
      fix: 'give one of them another name or namespace, or remove it',
    },
  };
}

function sameFile(
  folder: string,
  first: ObjectFile,
  second: ObjectFile,
): Pick<Repetition, 'thing' | 'problem'> | undefined {
  // The same object twice is reported as that.
  if (identity(first.object) === identity(second.object)) return undefined;
  const file = `${folder}/${second.file}`;
  return {
    thing: file,
    problem: {
      code: 'file-shared',
      what: `${file} is the file of ${describeObject(second.object)} and of an object of ${first.path}`,
      why: 'One would overwrite the other',
      fix: 'give one of them another name',
    },
  };
}

function sameChart(folder: string, first: PlacedRelease, second: PlacedRelease): Pick<Repetition, 'thing' | 'problem'> {
  const { name } = second.release.chart;
  return {
    thing: `chart ${name} in ${folder}`,
    problem: {
      code: 'helm-release-repeated',
      what: `Chart ${name} is released in namespace ${folder} here and by ${first.path}`,
      why: "The folder's umbrella chart gives each chart its values by name, so both would get the same",
      fix: 'release it once in a namespace',
    },
  };
}
