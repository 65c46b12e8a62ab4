import type { Problem } from '../../../../packages/base/findings/problem';
import type { Values } from '../../../../packages/base/values-merge';
import { checkInjectionChange } from '../checks/check-injection-change';
import { checkPrivateKeys } from '../checks/check-private-keys';
import { checkSize } from '../checks/check-size';
import { rejectionText } from '../checks/rejection-text';
import type { ConfigProblem } from './plan-result';

/**
 * Checks values by the rules of the webhook, which may be off, or was down when they were written. Checks that depend
 * on a clock or a certificate of the cluster are not repeated, nor is that of the release, which an upgrade of the
 * installation changes for a LinkerdConfig that worked until then.
 *
 * @param installed - the values of the installation
 */
export function checkValues(wanted: Values | undefined, installed: Values): ConfigProblem | undefined {
  const problems = checkInTurn(wanted, installed);
  return problems.length === 0 ? undefined : { reason: 'InvalidValues', message: rejectionText(problems) };
}

function checkInTurn(wanted: Values | undefined, installed: Values): readonly Problem[] {
  const tooLarge = checkSize(wanted);
  if (tooLarge.length > 0) return tooLarge;
  const privateKeys = checkPrivateKeys(wanted);
  // Other problems may quote the text.
  return privateKeys.length > 0 ? privateKeys : checkInjectionChange({ wanted, old: undefined }, installed);
}
