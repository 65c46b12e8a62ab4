import type { IConstruct } from 'constructs';
import { shownValue } from '../../../operator/api/kubernetes/shown-value';
import { type Classes, type ClassName, checkClass, isOfClass } from '../../kubernetes/cdk8s-values';
import { KUBERNETES_FINDINGS } from '../../kubernetes/findings/findings';
import { describeProblem, type Problem } from '../../kubernetes/findings/problem';
import { type KeysOf, type KnownKeys, readOptions } from '../../kubernetes/known-keys';
import { checkDnsLabel } from '../../kubernetes/names';
import { isObject } from '../../kubernetes/select-fields';
import { addRule } from './add-rule';

/** Props of a construct without a part that nothing can be built without. A Platform reports its problems. */
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
 * The props of a construct as they are known: without those that are undefined or null. Others are reported at synth, at
 * every depth.
 *
 * @param keys what `keysOf` says of the type of the props
 * @throws PropsError without a part that nothing can be built without
 */
export function propsOf<Props extends object>(
  scope: IConstruct,
  keys: KnownKeys<KeysOf<Props>>,
  props: Props | undefined,
): Props {
  const { options, problems, missing } = readOptions<Props>(keys, props);
  if (missing.length > 0) throw new PropsError(scope.node.path, [...missing, ...problems]);
  if (problems.length > 0) addRule(scope, () => problems);
  return options;
}

/** A construct's prop that is a list; where it is none, which is reported, it counts as left out. */
export function propOfList<T>(
  scope: IConstruct,
  field: string,
  list: readonly T[] | undefined,
): readonly T[] | undefined {
  if (list === undefined || list === null || Array.isArray(list)) return list ?? undefined;
  addRule(scope, () => [misshapen(field, list, 'a list')]);
  return undefined;
}

/** A construct's prop that is a map; where it is none, which is reported, it counts as left out. */
export function propOfMap<T extends object>(scope: IConstruct, field: string, map: T | undefined): T | undefined {
  if (map === undefined || map === null || isObject(map)) return map ?? undefined;
  addRule(scope, () => [misshapen(field, map, 'a map')]);
  return undefined;
}

/** A construct's prop that is a name; an empty one, which is reported, counts as left out: names are made of it. */
export function propOfName(scope: IConstruct, field: string, name: string | undefined): string | undefined {
  if (name === '') addRule(scope, () => checkDnsLabel(field, name));
  return name === '' ? undefined : (name ?? undefined);
}

function misshapen(field: string, value: unknown, shape: string): Problem {
  return KUBERNETES_FINDINGS.wrongType({ path: field, value: shownValue(value), expected: shape });
}

/** A construct's prop of a class; where it is none, which is reported, what goes on in its stead. */
export function propOfClass<Name extends ClassName>(
  scope: IConstruct,
  name: Name,
  { field, value, instead }: { readonly field: string; readonly value: unknown; readonly instead: Classes[Name] },
): Classes[Name] {
  if (value === undefined) return instead;
  const problems = checkClass(name, field, value);
  if (problems.length > 0) addRule(scope, () => problems);
  return isOfClass(name, value) ? value : instead;
}
