import type { IConstruct } from 'constructs';
import { describeProblem, type Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { isObject } from '#base/is-object';
import { KUBERNETES_FINDINGS } from '#kubernetes/findings/findings';
import { checkDnsLabel } from '#kubernetes/names';
import { type Classes, type ClassName, checkClass, isOfClass } from '#kubernetes/options/cdk8s-values';
import { goDurationOf, notDuration } from '#kubernetes/options/duration-like';
import { type KeysOf, type KnownKeys, type Read, readOptions } from '#kubernetes/options/known-keys';
import { UnknownVersionError } from '#linkerd/releases/unknown-version-error';
import { addRule } from './add-rule';

/** Missing or invalid props that prevent building a construct. A Platform reports the problems. */
export class PropsError extends TypeError {
  override readonly name = 'PropsError';

  /** @param path of the construct, beginning with the cluster's name */
  constructor(
    readonly path: string,
    readonly problems: readonly Problem[],
  ) {
    super(problems.map((problem) => `${path}: ${describeProblem(problem)}`).join('\n'));
  }
}

/**
 * Returns the known props of a construct, without undefined and null ones. Unknown props are reported at synth, at any
 * depth.
 *
 * @param keys the `keysOf` the type of the props
 * @throws PropsError if the construct cannot be built without a missing prop
 */
export function propsOf<Props extends object>(
  scope: IConstruct,
  keys: KnownKeys<KeysOf<Props>>,
  props: Props | undefined,
): Read<Props> {
  const { options, problems, missing } = readOptions<Props>(keys, props);
  if (missing.length > 0) throw new PropsError(scope.node.path, [...missing, ...problems]);
  if (problems.length > 0) addRule(scope, () => problems);
  return options;
}

/**
 * Returns the result of `read`, which looks up the version in a construct's props.
 *
 * @throws PropsError for an unknown version
 */
export function propOfVersion<T>(scope: IConstruct, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UnknownVersionError ? new PropsError(scope.node.path, [error.problem]) : error;
  }
}

/** Returns a construct's prop that must be a list; any other value is reported, and treated as omitted. */
export function propOfList<T>(
  scope: IConstruct,
  field: string,
  list: readonly T[] | undefined,
): readonly T[] | undefined {
  if (list === undefined || list === null || Array.isArray(list)) return list ?? undefined;
  addRule(scope, () => [misshapen(field, list, 'a list')]);
  return undefined;
}

/** Returns a construct's prop that must be a map; any other value is reported, and treated as omitted. */
export function propOfMap<T extends object>(scope: IConstruct, field: string, map: T | undefined): T | undefined {
  if (map === undefined || map === null || isObject(map)) return map ?? undefined;
  addRule(scope, () => [misshapen(field, map, 'a map')]);
  return undefined;
}

/**
 * Returns a construct's prop that must be a name; an empty one is reported, and treated as omitted, because other names
 * are derived from it.
 */
export function propOfName(scope: IConstruct, field: string, name: string | undefined): string | undefined {
  if (name === '') addRule(scope, () => checkDnsLabel(field, name));
  return name === '' ? undefined : (name ?? undefined);
}

function misshapen(field: string, value: unknown, shape: string): Problem {
  return KUBERNETES_FINDINGS.wrongTypeValue({ path: field, value: shownValue(value), expected: shape });
}

/** Returns a construct's prop of a class; any other value is reported, and replaced. */
export function propOfClass<Name extends ClassName>(
  scope: IConstruct,
  name: Name,
  { field, value, instead }: { readonly field: string; readonly value: unknown; readonly instead: Classes[Name] },
): Classes[Name] {
  const given = name === 'Duration' ? (goDurationOf(value) ?? value) : value;
  if (given === undefined) return instead;
  const problems =
    name === 'Duration' && !isOfClass(name, given) ? [notDuration(field, given)] : checkClass(name, field, given);
  if (problems.length > 0) addRule(scope, () => problems);
  return isOfClass(name, given) ? given : instead;
}
