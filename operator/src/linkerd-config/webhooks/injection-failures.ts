import { injectionProblems } from '../../../api/injection/injection-problems';
import type { Problem } from '../../../api/problem';
import { mergeValues, type Values } from '../../../api/values-merge';
import { effectiveValues } from '../effective-values';

/** The values of a LinkerdConfig, as somebody wants them and as they are. */
export interface ValuesChange {
  readonly wanted: Values | undefined;
  readonly old: Values | undefined;
}

/** Who adds a key to a map that the installation lacks is not to blame for the others in it. */
const EMPTY: Values = { networkValidator: {}, proxy: {}, proxyInit: {} };

/**
 * What the injector would fail on for each pod by a change of values. What the installation is wrong about, or was made
 * wrong about before, is nothing that the change does.
 *
 * @param installed - the values of the installation
 */
export function injectionFailures({ wanted, old }: ValuesChange, installed: Values): readonly Problem[] {
  const inForce = (values: Values | undefined) => effectiveValues(installed, values);
  const before = [installed, mergeValues(EMPTY, installed), inForce(old)];
  const known = new Set(before.flatMap(injectionProblems).map(({ what }) => what));
  return injectionProblems(inForce(wanted))
    .filter(({ what }) => !known.has(what))
    .map(({ what, why, fix }) => ({ what: `with spec.values in force, ${what}`, why: uncapitalized(why), fix }));
}

/** A refusal goes on with it in the middle of a sentence. */
function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
