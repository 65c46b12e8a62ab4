import { LEASE_NAME } from '#operator/api/names';
import { ref } from '../../support/cluster/objects';
import { checksAnchors } from '../../support/operator/changes/anchor-changes';
import type { PrepareChange } from '../../support/operator/changes/change';
import {
  adopts,
  holdsDeletion,
  refusesSecond,
  reportsStatus,
  restores,
  takesOverInstallation,
  writesValues,
} from '../../support/operator/changes/config-changes';
import { countsDrift, revertsDrift, tellsDrift } from '../../support/operator/changes/drift-changes';
import {
  answersForNewNamespaces,
  attaches,
  bringsNetworkBack,
  detaches,
  followsCniPlugin,
} from '../../support/operator/changes/network-changes';
import {
  completes,
  reportsDeployment,
  reportsPod,
  restarts,
  restartsInjector,
  waitsForBudgets,
} from '../../support/operator/changes/propagation-changes';
import type { OperatedMesh } from '../../support/operator/operated-mesh';
import type { Permission } from './permission';
import { PERMISSIONS } from './permitted-operator';

/** A need for a permission, by the effect of its absence. */
export type Need =
  /** A request of a running operator, which does its part of a change once it has the permission again. */
  | {
      readonly when: 'working';
      readonly change: PrepareChange;
      /** What must happen again, since the operator does not retry it. */
      readonly again?: 'the change' | 'the start';
    }
  /** A request of an operator that starts. */
  | {
      readonly when: 'starting';
      readonly change: PrepareChange;
      readonly before?: (mesh: OperatedMesh) => Promise<void>;
    }
  /** A watch: without it, the operator repeatedly reads everything, and sees changes only then. */
  | { readonly when: 'watching'; readonly change: PrepareChange };

const working = (change: PrepareChange, again?: 'the change' | 'the start'): Need => ({
  when: 'working',
  change,
  again,
});
const starting = (change: PrepareChange, before?: (mesh: OperatedMesh) => Promise<void>): Need => ({
  when: 'starting',
  change,
  before,
});
const watching = (change: PrepareChange): Need => ({ when: 'watching', change });

/** By the name of the permission. */
export const NEEDS: Readonly<Record<string, Need>> = {
  'get leases linkerd-reconciler in operator': starting(attaches),
  'update leases linkerd-reconciler in operator': starting(attaches),
  'create leases in operator': starting(attaches, removeLease),
  'create events': working(tellsDrift, 'the change'),
  'patch events': working(countsDrift, 'the change'),

  'get linkerdconfigs': working(writesValues),
  'list linkerdconfigs': starting(writesValues),
  'watch linkerdconfigs': watching(refusesSecond),
  'patch linkerdconfigs': working(holdsDeletion),
  'patch linkerdconfigs/status': working(reportsStatus),
  'get configmaps linkerd-config in control-plane': working(writesValues),
  'list configmaps linkerd-config in control-plane': starting(writesValues),
  'watch configmaps linkerd-config in control-plane': watching(revertsDrift),
  'patch configmaps linkerd-config in control-plane': working(writesValues),
  'create configmaps in control-plane': working(adopts),
  'get configmaps linkerd-config-baseline in control-plane': working(writesValues),
  'patch configmaps linkerd-config-baseline in control-plane': working(takesOverInstallation),
  'delete configmaps linkerd-config-baseline in control-plane': working(restores),
  'get certificates linkerd-identity-issuer in control-plane': working(checksAnchors),
  'list certificaterequests in control-plane': working(checksAnchors),

  'list pods': starting(writesValues),
  'watch pods': watching(reportsPod),
  'list replicasets': starting(writesValues),
  'watch replicasets': watching(reportsDeployment),
  'list deployments': starting(writesValues),
  'watch deployments': watching(restartsInjector),
  'patch deployments': working(restartsInjector),
  'get deployments linkerd-proxy-injector in control-plane': working(restarts('Deployment')),
  'list statefulsets': starting(writesValues),
  'watch statefulsets': watching(completes),
  'patch statefulsets': working(restarts('StatefulSet'), 'the start'),
  'list daemonsets': starting(writesValues),
  'watch daemonsets': watching(completes),
  'patch daemonsets': working(restarts('DaemonSet'), 'the start'),
  'list rollouts': starting(restarts('Rollout')),
  'watch rollouts': watching(completes),
  'patch rollouts': working(restarts('Rollout'), 'the start'),
  'list poddisruptionbudgets': starting(writesValues),
  'watch poddisruptionbudgets': watching(waitsForBudgets),

  'get namespaces': working(answersForNewNamespaces),
  'list namespaces': starting(attaches),
  'watch namespaces': watching(attaches),
  'list configmaps linkerd-cni-config in cni': starting(attaches),
  'watch configmaps linkerd-cni-config in cni': watching(followsCniPlugin),
  'list network-attachment-definitions linkerd-cni': starting(attaches),
  'watch network-attachment-definitions linkerd-cni': watching(bringsNetworkBack),
  'create network-attachment-definitions': working(attaches),
  'patch network-attachment-definitions linkerd-cni': working(followsCniPlugin),
  'delete network-attachment-definitions linkerd-cni': working(detaches),
};

/** Removes the lease, so that no replica has led yet. */
async function removeLease({ cluster, installation }: OperatedMesh): Promise<void> {
  await cluster.delete(ref('coordination.k8s.io/v1', 'Lease', LEASE_NAME, installation.namespace));
}

/** Returns the needs of this kind with their names and permissions. */
export function needsWhen<W extends Need['when']>(when: W) {
  return Object.entries(NEEDS).flatMap(([name, need]): [string, Extract<Need, { when: W }>, Permission][] => {
    const permission = PERMISSIONS.get(name);
    return need.when === when && permission ? [[name, need as Extract<Need, { when: W }>, permission]] : [];
  });
}
