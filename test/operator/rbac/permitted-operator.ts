import type { RbacScope } from '#operator/api/rbac/rule';
import type { AuditEvent } from '../../support/cluster/audit';
import { type OperatedMesh, RULES } from '../../support/operator/operated-mesh';
import { isUse, type Permission, type Place, permissionsOf, without } from './permission';

/** All permissions of the operator, by name. */
export const PERMISSIONS = permissionsOf(RULES);

/** An operator whose permissions can be revoked and whose requests are recorded. */
export interface PermittedOperator {
  /** Revokes a permission, and returns once the API server denies it. */
  revoke(permission: Permission): Promise<void>;
  /** Grants all permissions. */
  restore(): Promise<void>;
  /** Returns a reader of all requests since this call. */
  requestsFrom(): () => Requests;
}

interface Requests {
  /** The names of used permissions. */
  readonly used: readonly string[];
  /** The names of missing permissions. A refused request without a permission is named as in the audit log. */
  readonly refused: readonly string[];
}

export function permittedOperator({ cluster, installation }: OperatedMesh): PermittedOperator {
  const { permit, user, namespace, linkerdNamespace, cniNamespace } = installation;
  const places: Partial<Record<RbacScope, string>> = {
    operator: namespace,
    'control-plane': linkerdNamespace,
    cni: cniNamespace,
  };
  const placeOf: Place = (scope) => places[scope];
  return {
    revoke: async (permission) => {
      const [resource, subresource] = permission.resource.split('/');
      const { apiGroup: group, verb, resourceNames: [name] = [] } = permission;
      const resourceAttributes = { namespace: placeOf(permission.scope), verb, group, resource, subresource, name };
      await permit(without(RULES, permission));
      // The API server's authorizer sees the change a moment later.
      await cluster.eventually(async () => {
        const { status } = await cluster.create({
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          metadata: {},
          spec: { user, resourceAttributes },
        });
        expect(status.allowed).toBe(false);
      });
    },
    restore: () => permit(RULES),
    requestsFrom: () => {
      const before = cluster.auditEvents({ user }).length;
      return () => requests(cluster.auditEvents({ user }).slice(before), placeOf);
    },
  };
}

function requests(events: readonly AuditEvent[], placeOf: Place): Requests {
  const isRefused = ({ responseStatus }: AuditEvent) => responseStatus?.code === 403;
  const names = (some: readonly AuditEvent[]) => some.map((event) => permissionFor(event, placeOf));
  return { used: names(events.filter((event) => !isRefused(event))), refused: names(events.filter(isRefused)) };
}

function permissionFor(event: AuditEvent, placeOf: Place): string {
  const found = [...PERMISSIONS].find(([, permission]) => isUse(event, permission, placeOf));
  return found?.[0] ?? `${event.verb} ${event.requestURI}`;
}
