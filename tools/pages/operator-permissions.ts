import { operatorRules } from '#lib/constructs/operator/operator-rbac';
import type { RbacRule } from '#operator/api/rbac/rule';
import { BRIDGE_REQUEST_RULES, certifyingRules, TRUST_ANCHOR_RULES } from '#operator/api/rbac/trust-anchor';
import { table } from './blocks';

/** All rules of the operator, each with the part that needs it and its reason. */
export function operatorPermissionsTable(): string {
  const always = operatorRules(false).map((rule) => cells(rule, ''));
  const isAlways = (row: readonly string[]) => always.some((other) => other.join() === row.join());
  const rows = [
    ...operatorRules(true).map((rule) => (isAlways(cells(rule, '')) ? cells(rule, '') : cells(rule, 'Multus: '))),
    ...TRUST_ANCHOR_RULES.map((rule) => cells(rule, 'Trust anchor: ')),
    ...BRIDGE_REQUEST_RULES.map((rule) => cells(rule, 'Trust anchor, bridges by request: ')),
    ...certifyingRules(['west']).map((rule) => cells(rule, "Trust anchor, with `certifies: [{ cluster: 'west' }]`: ")),
  ];
  return table(['scope', 'objects', 'verbs', 'why'], rows);
}

function cells(rule: RbacRule, part: string): readonly string[] {
  const { scope, apiGroups, resources, resourceNames = [], verbs, why } = rule;
  const groups = apiGroups.join() === '' ? '' : ` (${apiGroups.join(', ')})`;
  const names = resourceNames.length === 0 ? '' : ` ${resourceNames.map((name) => `\`${name}\``).join(', ')}`;
  return [scope, `${resources.join(', ')}${groups}${names}`, verbs.join(', '), `${part}${why}`];
}
