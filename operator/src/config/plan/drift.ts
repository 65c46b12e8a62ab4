import { listed } from '../../../../packages/base/findings/listed';
import type { Values } from '../../../../packages/base/values-merge';
import { configHash } from '../values/config-hash';
import { diffValues } from '../values/diff-values';
import type { BaselineEvidence } from './choose-baseline';
import type { ConfigNote } from './plan-result';

const MAX_NAMED = 5;

/**
 * Returns the notes about values that are about to be overwritten: drift, unless the operator or an installer wrote
 * them.
 *
 * @param values - the intended ones
 */
export function driftNotes(evidence: BaselineEvidence, values: Values): readonly ConfigNote[] {
  const { owners, kept, uid, installers } = evidence;
  const isOurs = owners.ours || owners.others.some((manager) => installers.includes(manager));
  if (isOurs || kept?.adoptedBy !== uid || isKnown(evidence)) return [];
  const who = owners.others.length === 0 ? 'an unknown field manager' : `field manager ${owners.others.join(', ')}`;
  return [
    {
      type: 'Warning',
      reason: 'DriftReverted',
      note: `Reverted what ${who} wrote to the values: ${difference(evidence, values)}${consequence(evidence, values)}`,
    },
  ];
}

/** Whether the values are those that this LinkerdConfig applied, or found, even if they were rewritten since. */
function isKnown({ written, lastHash, kept }: BaselineEvidence): boolean {
  if ('unreadable' in written) return false;
  return lastHash === undefined ? configHash(written.values) === kept?.adoptedHash : written.hash === lastHash;
}

/**
 * Warns about pods that were created meanwhile, which cannot be distinguished from those with the right configuration.
 */
function consequence({ written }: BaselineEvidence, values: Values): string {
  const isHarmless = 'unreadable' in written || configHash(written.values) === configHash(values);
  return isHarmless ? '' : '. Pods created in the meantime may have it: restart them';
}

function difference({ written }: BaselineEvidence, values: Values): string {
  if ('unreadable' in written) return 'no YAML';
  const paths = diffValues(values, written.values).map(({ path }) => path.join('.'));
  return listed(paths, MAX_NAMED);
}
