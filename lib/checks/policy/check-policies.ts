import { type Finding, findingsAt } from '#base/findings/finding';
import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { DEFAULT_INBOUND_POLICY, EXTENSION } from '#linkerd/annotations';
import type { PlacedObject } from '../object-rule';
import { checkCalledByApiServer } from './api-server-rules';
import { auditWarnings } from './audit-warnings';
import { checkClients, clientWarnings, podsByAccount } from './client-rules';
import {
  checkEgressEnforced,
  checkNamespaceEnforced,
  checkRequiredIdentity,
  checkServersEnforced,
} from './enforcement-rules';
import { defaultPolicyOfMesh, Guards } from './guards';
import { lockoutWarnings, unreachableWarnings } from './lockout-warnings';
import { livedIn, namespaceWarnings } from './namespace-warnings';
import { podSetsOf } from './pod-sets';
import { checkProbes, openProbes, sharedProbes } from './probe-rules';
import { defaultPolicyIn } from './proxy-settings';
import { knownPolicies, referenceWarnings } from './reference-warnings';
import { checkServer, serverWarnings } from './server-rules';

/**
 * Reports policies in the objects of a cluster that lock out required clients, or that do not work as intended.
 *
 * @param inflated - values of the control plane's chart, if its objects are not among these
 */
export function checkPolicies(objects: readonly PlacedObject[], inflated: Values = {}): readonly Finding[] {
  const isConcerned = objects.some(({ object }) => isPolicy(object) || denies(defaultPolicyOfMesh(object)));
  if (!isConcerned && !denies(defaultPolicyIn(inflated))) return [];
  const guards = new Guards(objects, inflated);
  const byAccount = podsByAccount(guards);
  const lived = livedIn(objects.map(({ object }) => object));
  const known = knownPolicies(objects.map(({ object }) => object));
  return [
    ...openProbes(guards),
    ...[...guards.policies.servers.values()].flat().flatMap((server) => {
      const path = guards.pathOf(server.object);
      return findingsAt(path, [
        ...checkServer(server, guards),
        ...serverWarnings(server, guards),
        ...auditWarnings(server, guards),
        ...sharedProbes(server, guards),
      ]);
    }),
    ...objects.flatMap(({ object, path }) => {
      const sets = podSetsOf(object);
      return findingsAt(path, [
        ...sets.flatMap((pods) => [
          ...checkProbes(pods, guards),
          ...checkServersEnforced(pods, guards),
          ...checkRequiredIdentity(pods, guards),
        ]),
        ...checkNamespaceEnforced(object, guards),
        ...checkEgressEnforced(object, guards),
        ...checkClients(object, guards, byAccount),
        ...checkCalledByApiServer(object, guards),
        ...clientWarnings(object, byAccount),
        ...namespaceWarnings(object, lived),
        ...referenceWarnings(object, known),
        ...lockoutWarnings(object, guards),
        ...sets.flatMap((pods) => unreachableWarnings(pods, guards)),
      ]);
    }),
  ];
}

/** Whether a default policy refuses at least some clients. */
function denies(policy: string | undefined): boolean {
  return policy !== undefined && policy !== 'all-unauthenticated';
}

/** Whether an object is a policy of the user, and not of an extension, or sets the default policy of pods. */
function isPolicy(object: KubernetesObject): boolean {
  return (
    (object.apiVersion.startsWith('policy.linkerd.io/') && object.metadata.labels?.[EXTENSION] === undefined) ||
    object.metadata.annotations?.[DEFAULT_INBOUND_POLICY] !== undefined ||
    podSetsOf(object).some(({ annotations }) => annotations[DEFAULT_INBOUND_POLICY] !== undefined)
  );
}
