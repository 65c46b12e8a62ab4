import { listed } from '../../../../operator/api/kubernetes/listed';
import { errorsAt, type Finding } from '../../../kubernetes/findings/finding';
import { describeObject, type KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { apiGroup } from '../../../kubernetes/scope';
import { SYNTH_FINDINGS } from '../findings';
import type { Folder, ObjectFile } from './folder';

/** Something that two constructs emit. */
interface Repetition {
  /** Paths of the constructs, in the order of the tree. */
  readonly first: string;
  readonly second: string;
  /** The thing in words. */
  readonly thing: string;
}

/** Checks that nothing is written twice. Two components that have much in common are one problem. */
export function checkRepetitions(folders: readonly Folder[]): readonly Finding[] {
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
        // The same object twice is reported as that.
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
  const [first, second] = repetitions.length === 1 ? [only.first, only.second] : components(only);
  const things = repetitions.map(({ thing }) => thing);
  return errorsAt(second, [SYNTH_FINDINGS.emittedTwice({ things: listed(things, MOST_NAMED), other: first })]);
}

function isSameObject(one: ObjectFile, other: ObjectFile): boolean {
  return identity(one.object) === identity(other.object);
}

function identity({ apiVersion, kind, metadata }: KubernetesObject): string {
  return `${apiGroup(apiVersion)}/${kind}/${metadata.namespace ?? ''}/${metadata.name}`;
}
