import type { RbacRule, RbacScope } from '#operator/api/rbac/rule';
import type { AuditEvent } from '../../support/cluster/audit';

/** The smallest unit that RBAC can grant or revoke: one verb for one resource, or for named objects of it. */
export interface Permission {
  readonly scope: RbacScope;
  readonly apiGroup: string;
  /** A subresource follows a slash, as in RBAC rules. */
  readonly resource: string;
  readonly resourceNames?: readonly string[];
  readonly verb: RbacRule['verbs'][number];
}

/** All permissions that the rules grant, by name. Two rules may grant the same. */
export function permissionsOf(rules: readonly RbacRule[]): ReadonlyMap<string, Permission> {
  const permissions = rules.flatMap(({ scope, apiGroups, resources, resourceNames, verbs }) =>
    apiGroups.flatMap((apiGroup) =>
      resources.flatMap((resource) => verbs.map((verb) => ({ scope, apiGroup, resource, resourceNames, verb }))),
    ),
  );
  return new Map(permissions.map((permission) => [nameOf(permission), permission]));
}

/** E.g. `get deployments linkerd-proxy-injector in control-plane`. */
function nameOf({ scope, resource, resourceNames = [], verb }: Permission): string {
  return [verb, resource, ...resourceNames, ...(scope === 'cluster' ? [] : ['in', scope])].join(' ');
}

/** The rules without this permission, whichever of them grant it. */
export function without(rules: readonly RbacRule[], permission: Permission): readonly RbacRule[] {
  const gone = nameOf(permission);
  return rules.flatMap((rule) => {
    // Keeps other rules unchanged, and with them their Roles.
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

/** The namespace in which a permission applies; undefined means all. */
export type Place = (scope: RbacScope) => string | undefined;

/** Whether a request uses the permission. */
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
