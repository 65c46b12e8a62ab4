import type { Problem } from '#base/findings/problem';
import { mergeValues, type Values } from '#base/values';
import { checkInjection, checkProxyValues } from '#linkerd/injection/check-injection';
import { type Injector, injectorOf } from '#linkerd/injection/injector';
import { checkRelease } from '#linkerd/injection/release';
import { effectiveValues } from '../values/effective-values';

/** A change of the values of a LinkerdConfig. */
export interface ValuesChange {
  readonly wanted: Values | undefined;
  readonly old: Values | undefined;
}

/**
 * Checks a change of values like {@link checkInjectionChange}, and that it names no other release than the control
 * plane's.
 *
 * @param installed - the values of the installation
 */
export function checkValuesChange(change: ValuesChange, installed: Values): readonly Problem[] {
  const { wanted, old } = change;
  const isSameRelease = wanted?.linkerdVersion === old?.linkerdVersion;
  const release = isSameRelease ? [] : checkRelease(wanted ?? {}, installed).map(inForceProblem);
  const failures = checkInjectionChange(change, installed);
  // An invalid version also differs from the control plane's.
  const others = release.length === 0 ? failures : failures.filter(({ about }) => about !== release[0]?.about);
  return [...release, ...others];
}

/**
 * Reports changes of values that would make the injector fail for each pod. Problems that the installation or the old
 * values already have are not reported.
 *
 * @param installed - the values of the installation
 */
export function checkInjectionChange({ wanted, old }: ValuesChange, installed: Values): readonly Problem[] {
  const injector = injectorOf(installed.linkerdVersion);
  const check = (values: Values) => checkInjection(values, injector);
  const inForce = (values: Values | undefined) => effectiveValues(installed, values);
  const before = [installed, ...withEmptyMaps(installed, injector), inForce(old)];
  return without(check(inForce(wanted)), before.flatMap(check)).map(inForceProblem);
}

/** Checks the values of a LinkerdConfig without a known installation, by the newest release. */
export function checkGivenValues({ wanted = {}, old = {} }: ValuesChange): readonly Problem[] {
  const check = (values: Values) => checkProxyValues(effectiveValues({}, values), injectorOf(undefined));
  return without(check(wanted), check(old)).map(inForceProblem);
}

/**
 * For each required map, returns the installation with that map, empty if missing: a change that adds a key to a
 * missing map need not add its other keys.
 */
function withEmptyMaps(installed: Values, { neededMaps }: Injector): readonly Values[] {
  return neededMaps.map((path) => {
    const empty = path.split('.').reduceRight<Values>((inner, key) => ({ [key]: inner }), {});
    return mergeValues(empty, installed);
  });
}

function without(problems: readonly Problem[], known: readonly Problem[]): readonly Problem[] {
  const keys = new Set(known.map(keyOf));
  return problems.filter((problem) => !keys.has(keyOf(problem)));
}

function keyOf({ code, cause, parameters }: Problem): string {
  return JSON.stringify([code, cause, parameters]);
}

const IN_FORCE = 'with spec.values in force, ';

function inForceProblem({ what, ...others }: Problem): Problem {
  return { ...others, what: `${IN_FORCE}${what}` };
}
