import { isObject } from '#base/is-object';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { IntendedDifference } from '#linkerd/charts/chart';
import { canonicalObject, objectKey } from './canonical';
import type { Objects } from './manifests';

/** A place where two renders differ. An absent value is undefined. */
export interface Difference {
  readonly object: string;
  /** Keys and indexes that lead to the place, each after a slash; `#length` after lists of different lengths. */
  readonly path: string;
  readonly recorded: unknown;
  readonly rendered: unknown;
}

/** Returns the places at which rendered objects differ from recorded ones, except intended differences. */
export function renderDifferences(
  recorded: Objects,
  rendered: readonly KubernetesObject[],
  intended: readonly IntendedDifference[],
): readonly Difference[] {
  return allDifferences(recorded, rendered).filter((difference) => intentionOf(difference, intended) === undefined);
}

/** Returns the intended difference that covers a difference, if there is one. */
export function intentionOf(
  difference: Difference,
  intended: readonly IntendedDifference[],
): IntendedDifference | undefined {
  return intended.find((one) => covers(one, difference));
}

/** Returns all places at which rendered objects differ from recorded ones. */
export function allDifferences(recorded: Objects, rendered: readonly KubernetesObject[]): readonly Difference[] {
  const ours = new Map(rendered.map((object) => [objectKey(object), object]));
  const keys = [...new Set([...recorded.keys(), ...ours.keys()])].sort();
  return keys.flatMap((object) => {
    const [theirs, own] = [recorded.get(object), ours.get(object)].map((one) => one && canonicalObject(one));
    return valueDifferences(theirs, own, '').map((difference) => ({ object, ...difference }));
  });
}

/** A difference on one line. */
export function describeDifference({ object, path, recorded, rendered }: Difference): string {
  return `${object}${path}: recorded ${text(recorded)}, rendered ${text(rendered)}`;
}

function covers(intended: IntendedDifference, { object, path }: Difference): boolean {
  return new RegExp(intended.object).test(object) && new RegExp(intended.path).test(path);
}

function valueDifferences(recorded: unknown, rendered: unknown, path: string): readonly Omit<Difference, 'object'>[] {
  if (Array.isArray(recorded) && Array.isArray(rendered)) {
    const common = recorded.slice(0, rendered.length);
    return [
      ...(recorded.length === rendered.length
        ? []
        : [{ path: `${path}#length`, recorded: recorded.length, rendered: rendered.length }]),
      ...common.flatMap((item, index) => valueDifferences(item, rendered[index], `${path}/${index}`)),
    ];
  }
  if (isObject(recorded) && isObject(rendered)) {
    const keys = [...new Set([...Object.keys(recorded), ...Object.keys(rendered)])].sort();
    return keys.flatMap((key) => valueDifferences(recorded[key], rendered[key], `${path}/${key}`));
  }
  return recorded === rendered ? [] : [{ path, recorded, rendered }];
}

const MAX_TEXT = 120;

function text(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, MAX_TEXT);
}
