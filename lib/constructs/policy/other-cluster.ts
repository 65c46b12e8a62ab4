import type { Problem } from '#base/findings/problem';
import type { ClientIdentity } from '../../checks/policy/policy-objects';
import { POLICY_FINDINGS } from './findings';

/** The parts of identities that all workloads of a cluster share. */
export interface MeshFacts {
  readonly cluster: string;
  readonly trustDomain: string;
  readonly controlPlaneNamespace: string;
}

/** The cluster of a policy, and the cluster of a construct that it names. */
export interface TwoClusters {
  readonly own: MeshFacts;
  readonly other: MeshFacts;
}

/**
 * Reports a workload of another cluster as a client: its account differs from the account of the same name in this
 * cluster.
 */
export function clientElsewhere(
  field: string,
  identity: ClientIdentity | undefined,
  { own, other }: TwoClusters,
): Problem {
  return POLICY_FINDINGS.policyElsewhereClient({
    field,
    client: inWords(identity),
    other: other.cluster,
    own: own.cluster,
    identity: directly(identity, { own, other }),
  });
}

function inWords(identity: ClientIdentity | undefined): string {
  if (identity?.kind === 'account') return `the service account ${identity.namespace}/${identity.name}`;
  return identity?.kind === 'namespace' ? `the namespace ${identity.name}` : 'a construct';
}

function directly(identity: ClientIdentity | undefined, { own, other }: TwoClusters): string {
  const [namespace, name] =
    identity?.kind === 'account'
      ? [identity.namespace, identity.name]
      : [identity?.kind === 'namespace' ? identity.name : '', undefined];
  const isSame = own.trustDomain === other.trustDomain && own.controlPlaneNamespace === other.controlPlaneNamespace;
  if (isSame) {
    const group =
      name === undefined
        ? `Clients.namespace('${namespace}')`
        : `Clients.serviceAccount({ namespace: '${namespace}', name: '${name}' })`;
    return `${group}, which both clusters have, because they share the trust domain ${own.trustDomain}`;
  }
  const fields = [
    `trustDomain: '${other.trustDomain}'`,
    ...(other.controlPlaneNamespace === 'linkerd' ? [] : [`controlPlaneNamespace: '${other.controlPlaneNamespace}'`]),
    `namespace: '${namespace}'`,
    ...(name === undefined ? [] : [`serviceAccount: '${name}'`]),
  ];
  return `Clients.elsewhere({ ${fields.join(', ')} })`;
}

/** Reports a workload of another cluster as the target of a policy: the policy would select pods of this cluster. */
export function targetElsewhere(path: string, { own, other }: TwoClusters): Problem {
  return POLICY_FINDINGS.policyElsewhereTarget({ own: own.cluster, path, other: other.cluster });
}
