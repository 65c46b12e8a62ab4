import type { RbacRule } from '#operator/api/rbac/rule';
import { isUse, type Permission, permissionsOf, without } from './permission';

const RULES: readonly RbacRule[] = [
  {
    scope: 'cluster',
    apiGroups: ['apps'],
    resources: ['deployments', 'daemonsets'],
    verbs: ['list', 'patch'],
    why: '',
  },
  { scope: 'cluster', apiGroups: ['apps'], resources: ['deployments'], verbs: ['patch'], why: '' },
  {
    scope: 'control-plane',
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: ['linkerd-config'],
    verbs: ['get'],
    why: '',
  },
];
const NAMES = [
  'list deployments',
  'patch deployments',
  'list daemonsets',
  'patch daemonsets',
  'get configmaps linkerd-config in control-plane',
];
const permission = (name: string) => permissionsOf(RULES).get(name) as Permission;

test('rules grant each verb for each resource', () => {
  expect([...permissionsOf(RULES).keys()]).toEqual(NAMES);
});

test.each(NAMES)('rules can do without: %s', (name) => {
  const rest = without(RULES, permission(name));
  expect([...permissionsOf(rest).keys()]).toEqual(NAMES.filter((other) => other !== name));
  expect(rest.filter(({ verbs }) => verbs.length === 0)).toEqual([]);
});

test.each([
  ['the object', {}, true],
  ['another object', { name: 'other' }, false],
  ['another namespace', { namespace: 'shop' }, false],
  ['another group', { apiGroup: 'apps' }, false],
  ['a subresource', { subresource: 'status' }, false],
])('a request is a use of a permission by: %s', (_case, different, expected) => {
  const objectRef = { resource: 'configmaps', name: 'linkerd-config', namespace: 'linkerd', ...different };
  const get = permission('get configmaps linkerd-config in control-plane');
  expect(isUse({ verb: 'get', objectRef }, get, () => 'linkerd')).toBe(expected);
  expect(isUse({ verb: 'patch', objectRef }, get, () => 'linkerd')).toBe(false);
});
