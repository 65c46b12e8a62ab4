import { checkInjection } from '../../operator/api/injection/check-injection';
import type { Problem } from '../problems/problem';
import { defaultsOf } from '../releases/chart-defaults';
import type { Values } from '../releases/values';
import { chartsOf, type LinkerdVersion } from '../releases/versions';
import { checkValues } from '../schema/schema';

/**
 * Reports what of a control plane's values the injector, the proxy or Kubernetes would refuse for each pod of the mesh,
 * and the schema of the chart's values does not. What a release knows nothing of it does not miss.
 */
export function checkMeshValues(values: Values, version: LinkerdVersion): readonly Problem[] {
  const known = new Set(checkInjection(defaultsOf(version).controlPlane).map(({ what }) => what));
  const said = checkValues(chartsOf(version).controlPlane, values);
  return unsaid(
    checkInjection(values).filter(({ what }) => !known.has(what)),
    said,
  );
}

/** The problems of values that no other problem is about, which knows better why. */
export function unsaid(problems: readonly Problem[], others: readonly Pick<Problem, 'what'>[]): readonly Problem[] {
  const paths = others.map(subject);
  return problems.filter((problem) => {
    const path = subject(problem);
    return !paths.some((other) => path === other || path.startsWith(`${other}.`) || path.startsWith(`${other}[`));
  });
}

/** Problems of values start with their path. */
function subject({ what }: Pick<Problem, 'what'>): string {
  return what.split(' ', 1)[0] ?? '';
}
