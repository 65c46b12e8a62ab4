import type { RbacRule, RbacScope } from '#operator/api/rbac/rule';
import type { AuditEvent } from '../../support/cluster/audit';

/** The least that can be granted, or taken away: one verb for one resource, or for some objects of it. */
export interface Permission {
  readonly scope: RbacScope;
  readonly apiGroup: string;
  /** As in rules: a subresource follows a slash. */
  readonly resource: string;
  readonly resourceNames?: readonly string[];
  readonly verb: RbacRule['verbs'][number];
}

/** All that rules grant, by name. Rules of two parts may grant the same. */
export function permissionsOf(rules: readonly RbacRule[]): ReadonlyMap<string, Permission> {
  const permissions = rules.flatMap(({ scope, apiGroups, resources, resourceNames, verbs }) =>
    apiGroups.flatMap((apiGroup) =>
      resources.flatMap((resource) => verbs.map((verb) => ({ scope, apiGroup, resource, resourceNames, verb }))),
    ),
  );
  return new Map(permissions.map((permission) => [nameOf(permission), permission]));
}

/** Such as `get deployments linkerd-proxy-injector in control-plane`. */
function nameOf({ scope, resource, resourceNames = [], verb }: Permission): string {
  return [verb, resource, ...resourceNames, ...(scope === 'cluster' ? [] : ['in', scope])].join(' ');
}

/** The rules without a permission, whichever of them grant it. */
export function without(rules: readonly RbacRule[], permission: Permission): readonly RbacRule[] {
  const gone = nameOf(permission);
  return rules.flatMap((rule) => {
    // Those that do not grant it stay as they are, and with them the roles that are given.
    if (!permissionsOf([rule]).has(gone)) return [rule];
    return rule.resources
      .map((resource) => ({ ...rule, resources: [resource] }))
      .map((single) => ({
        ...single,
        verbs: rule.verbs.filter((verb) => !permissionsOf([{ ...single, verbs: [verb] }]).has(gone)),
      }))
      .filter(({ verbs }) => verbs.length > 0);
  });
}

/** Where a permission holds; undefined for everywhere. */
export type Place = (scope: RbacScope) => string | undefined;

/** Tells whether a request is one that the permission is for. */
export function isUse(
  { objectRef = {}, ...event }: Pick<AuditEvent, 'verb' | 'objectRef'>,
  { scope, apiGroup, resource, resourceNames, verb }: Permission,
  placeOf: Place,
): boolean {
  const { name = '', namespace, subresource } = objectRef;
  const place = placeOf(scope);
  return (
    event.verb === verb &&
    (objectRef.apiGroup ?? '') === apiGroup &&
    [objectRef.resource, subresource].filter(Boolean).join('/') === resource &&
    (resourceNames === undefined || resourceNames.includes(name)) &&
    (place === undefined || place === namespace)
  );
}
