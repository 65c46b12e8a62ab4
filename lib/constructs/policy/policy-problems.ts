import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { POLICY_GROUP } from '#linkerd/api-groups';
import { definitionsOf } from '#linkerd/releases/definitions';
import type { Release } from '#linkerd/releases/release';
import { POLICY_FINDINGS } from './findings';
import type { GuardedPort } from './guarded-ports';

/** Reports clients that are not a list. */
export function noClients(field: string, from: unknown): Problem {
  return POLICY_FINDINGS.policyValueRefusedClients({ field, value: shownValue(from) });
}

/** Reports several values where a Server can have only one. */
export function contested(
  { namespace, name }: GuardedPort,
  field: string,
  values: readonly string[],
): readonly Problem[] {
  if (values.length < 2) return [];
  const shown = values.map((value) => `"${value}"`).join(' and ');
  return [POLICY_FINDINGS.policyContested({ server: `${namespace}/${name}`, field, values: shown })];
}

/** Reports an unknown mode. */
export function unknownMode(mode: unknown, known: string): Problem {
  return POLICY_FINDINGS.policyValueRefusedMode({ mode: shownValue(mode), known });
}

/** Reports requests that are not a list, or are an empty one. */
export function noRequests(requests: unknown): Problem {
  return POLICY_FINDINGS.policyValueRefusedList({
    field: 'requests',
    value: shownValue(requests),
    example: '[{ method, path }]',
  });
}

/** Whether the CRDs of a release have a kind of policy, by its plural. */
export function isDefined({ version, groups }: Release, plural: string): boolean {
  const names = groups.crds.templates.definitions ?? definitionsOf(version, {}).map(({ name }) => name);
  return names.includes(`${plural}.${POLICY_GROUP}`);
}
