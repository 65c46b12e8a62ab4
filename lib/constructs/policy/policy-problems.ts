import { shownValue } from '../../../operator/api/kubernetes/shown-value';
import type { Problem } from '../../kubernetes/findings/problem';
import { definitionsOf } from '../../linkerd/releases/definitions';
import type { Release } from '../../linkerd/releases/release';
import { POLICY_GROUP } from '../viz/authorization';
import { POLICY_FINDINGS } from './findings';
import type { GuardedPort } from './guarded-ports';

/** Clients that are not a list. */
export function noClients(field: string, from: unknown): Problem {
  return POLICY_FINDINGS.policyValueRefusedClients({ field, value: shownValue(from) });
}

/** Reports values of which a Server can have one. */
export function contested(
  { namespace, name }: GuardedPort,
  field: string,
  values: readonly string[],
): readonly Problem[] {
  if (values.length < 2) return [];
  const shown = values.map((value) => `"${value}"`).join(' and ');
  return [POLICY_FINDINGS.policyContested({ server: `${namespace}/${name}`, field, values: shown })];
}

/** A mode that is not one of those known. */
export function unknownMode(mode: unknown, known: string): Problem {
  return POLICY_FINDINGS.policyValueRefusedMode({ mode: shownValue(mode), known });
}

/** Requests that are not a list, or an empty one. */
export function noRequests(requests: unknown): Problem {
  return POLICY_FINDINGS.policyValueRefusedList({
    field: 'requests',
    value: shownValue(requests),
    example: '[{ method, path }]',
  });
}

/** Tells whether the CRDs of a release have a kind of policy, by its plural. */
export function isDefined({ version }: Release, plural: string): boolean {
  return definitionsOf(version, {}).some(({ name }) => name === `${plural}.${POLICY_GROUP}`);
}
