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
    why: 'The replica that holds the lease runs the controllers; it renews the lease and gives it up when it ends.',
  },
  {
    scope: 'operator',
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['create'],
    why: 'The first replica creates the lease. A request that creates names nothing, so that no name limits it.',
  },
  {
    scope: 'cluster',
    apiGroups: [''],
    resources: ['events'],
    verbs: ['create', 'patch'],
    why: 'Events tell what was done to an object, in its namespace; one that repeats is counted by a patch.',
  },
];
