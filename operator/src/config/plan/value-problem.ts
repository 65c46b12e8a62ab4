import type { Problem } from '../../../api/problem';
import type { Values } from '../../../api/values-merge';
import { anchorSizeProblems } from '../checks/anchor-problems';
import { changeFailures } from '../checks/injection-failures';
import { privateKeyProblems } from '../checks/private-keys';
import { rejectionText } from '../checks/rejection-text';
import { sizeProblems } from '../checks/size-problems';
import { trustAnchorsOf } from '../values/effective-values';
import type { ConfigProblem } from './plan-result';

/**
 * Why values must not come into force, by the rules of the webhook: that may be off, or was away when they were written.
 * What a clock or a certificate of the cluster decides is not asked again, nor is the release, which an upgrade of the
 * installation changes under a LinkerdConfig that worked until then.
 *
 * @param installed - the values of the installation
 */
export function valueProblem(wanted: Values | undefined, installed: Values): ConfigProblem | undefined {
  const problems = valueProblems(wanted, installed);
  return problems.length === 0 ? undefined : { reason: 'InvalidValues', message: rejectionText(problems) };
}

function valueProblems(wanted: Values | undefined, installed: Values): readonly Problem[] {
  const tooLarge = [...sizeProblems(wanted), ...anchorSizeProblems(trustAnchorsOf(wanted ?? {}) ?? '')];
  if (tooLarge.length > 0) return tooLarge;
  const privateKeys = privateKeyProblems(wanted);
  // Other problems may quote the text.
  return privateKeys.length > 0 ? privateKeys : changeFailures({ wanted, old: undefined }, installed);
}
