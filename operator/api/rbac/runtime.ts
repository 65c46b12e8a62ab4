import { LEASE_NAME } from '../names';
import type { RbacRule } from './rule';

/** The permissions that every operator needs. */
export const RUNTIME_RULES: readonly RbacRule[] = [
  {
    scope: 'operator',
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    resourceNames: [LEASE_NAME],
    verbs: ['get', 'update'],
    why: 'To elect a leader: the replica that holds the lease runs the controllers, renews the lease, and releases it on exit.',
  },
  {
    scope: 'operator',
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['create'],
    why: 'The first replica creates the lease. RBAC cannot limit create requests to a name.',
  },
  {
    scope: 'cluster',
    apiGroups: [''],
    resources: ['events'],
    verbs: ['create', 'patch'],
    why: 'To record Events in the namespace of the object; a patch counts repeated ones.',
  },
];
