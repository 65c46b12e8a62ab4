import { anchorNames } from '#anchor/trust-anchor';
import { operatorRbac, operatorRules } from '#lib/constructs/operator/operator-rbac';
import type { RbacRule } from '#operator/api/rbac/rule';

const PLACES = { operator: 'op', controlPlane: 'linkerd', cni: 'linkerd-cni', certManager: 'cert-manager' };

function rule(over: Partial<RbacRule>): RbacRule {
  return { scope: 'cluster', apiGroups: [''], resources: ['pods'], verbs: ['get'], why: 'a test', ...over };
}

/** Returns the rules of each role by `<kind> <namespace>`. */
function rolesOf(rules: readonly RbacRule[], places: Parameters<typeof operatorRbac>[1] = PLACES) {
  return Object.fromEntries(
    operatorRbac(rules, places).flatMap((object) =>
      'rules' in object ? [[[object.kind, object.metadata?.namespace].join(' ').trim(), object.rules]] : [],
    ),
  );
}

test('each RBAC rule of the operator is in the role of its scope', () => {
  const scopes = ['cluster', 'control-plane', 'cni', 'cert-manager', 'operator'] as const;
  const roles = rolesOf(scopes.map((scope) => rule({ scope, resources: [scope] })));
  expect(Object.entries(roles).map(([role, rules]) => [role, rules?.[0]?.resources])).toEqual([
    ['ClusterRole', ['cluster']],
    ['Role cert-manager', ['cert-manager']],
    ['Role linkerd', ['control-plane']],
    ['Role linkerd-cni', ['cni']],
    ['Role op', ['operator']],
  ]);
});

test('scopes in the same namespace share a role', () => {
  const rules = [rule({ scope: 'control-plane', resources: ['configmaps'] }), rule({ scope: 'operator' })];
  const roles = rolesOf(rules, { operator: 'linkerd', controlPlane: 'linkerd' });
  expect(Object.keys(roles)).toEqual(['ClusterRole', 'Role linkerd']);
  expect(roles['Role linkerd']).toHaveLength(2);
});

test('rules of several parts for the same objects become one RBAC rule', () => {
  const roles = rolesOf([
    rule({ verbs: ['watch', 'patch'] }),
    rule({ verbs: ['get', 'watch', 'list'] }),
    rule({ resourceNames: ['one'], verbs: ['delete'] }),
  ]);
  expect(roles.ClusterRole).toEqual([
    { apiGroups: [''], resources: ['pods'], resourceNames: ['one'], verbs: ['delete'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch', 'patch'] },
  ]);
});

describe('RBAC of the operator', () => {
  const all = operatorRules(true);

  it('has a reason for each rule', () => {
    for (const { why } of all) expect(why).toMatch(/^\S.{20,}/);
  });

  it('contains no wildcards', () => {
    const texts = all.flatMap(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs]);
    expect(texts.filter((text) => text.includes('*'))).toEqual([]);
  });

  it('limits no create request by name', () => {
    const create = all.filter(({ verbs }) => verbs.includes('create'));
    expect(create.length).toBeGreaterThan(0);
    expect(create.filter(({ resourceNames }) => resourceNames !== undefined)).toEqual([]);
  });

  it('reads no Secret', () => {
    const secrets = [...all, ...operatorRules(true, true)].filter(({ resources }) =>
      resources.some((resource) => resource.startsWith('secrets')),
    );
    expect(secrets.map(({ scope, resourceNames, verbs }) => [scope, resourceNames, verbs])).toEqual([
      ['cert-manager', anchorNames(), ['delete']],
    ]);
  });

  it('has no rules on Multus without Multus', () => {
    const without = operatorRules(false);
    expect(all.length).toBeGreaterThan(without.length);
    expect(JSON.stringify(without)).not.toMatch(/network-attachment-definitions|linkerd-cni/);
    expect(without.filter(({ scope }) => scope === 'cni')).toEqual([]);
  });
});

test('an operator bound to namespaces has its rules on workloads in Roles of these namespaces', () => {
  const rules = [rule({ perNamespace: true }), rule({ resources: ['namespaces'] })];
  const roles = rolesOf(rules, { ...PLACES, workloads: ['shop', 'linkerd'] });
  expect(Object.entries(roles).map(([role, found]) => [role, found?.map(({ resources }) => resources?.[0])])).toEqual([
    ['ClusterRole', ['namespaces']],
    ['Role linkerd', ['pods']],
    ['Role shop', ['pods']],
  ]);
});

test('an operator bound to namespaces may change only Events and LinkerdConfigs in all namespaces', () => {
  const roles = rolesOf(operatorRules(true), { ...PLACES, workloads: ['shop'] });
  const changing = (roles.ClusterRole ?? []).filter(
    ({ verbs }) => !verbs.every((verb) => ['get', 'list', 'watch'].includes(verb)),
  );
  expect(changing.flatMap(({ resources = [] }) => resources)).toEqual([
    'events',
    'linkerdconfigs',
    'linkerdconfigs/status',
  ]);
  expect((roles.ClusterRole ?? []).flatMap(({ resources = [] }) => resources).toSorted()).toEqual([
    'events',
    'linkerdconfigs',
    'linkerdconfigs/status',
    'namespaces',
  ]);
});
