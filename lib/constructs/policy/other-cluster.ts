import type { Problem } from '../../kubernetes/findings/problem';
import type { ClientIdentity } from '../../linkerd/policy/policy-objects';

/** All that the identities of a cluster's workloads are made of, beside their own names. */
export interface MeshFacts {
  readonly cluster: string;
  readonly trustDomain: string;
  readonly controlPlaneNamespace: string;
}

/** The cluster of a policy, and that of what it names. */
export interface TwoClusters {
  readonly own: MeshFacts;
  readonly other: MeshFacts;
}

/** A workload of another cluster as a client: its account is another one than that of the same name here. */
export function clientElsewhere(
  field: string,
  identity: ClientIdentity | undefined,
  { own, other }: TwoClusters,
): Problem {
  const gateway =
    "through a gateway, clients have its identity: Clients.serviceAccount({ namespace: 'linkerd-multicluster', name: 'linkerd-gateway' })";
  return {
    code: 'policy-client-elsewhere',
    what: `${field} is ${inWords(identity)} of cluster ${other.cluster}, and the policy is for cluster ${own.cluster}`,
    why: `It would stand for the account of that name in ${own.cluster}, whoever has it there`,
    fix: `name its identity, ${directly(identity, { own, other })}; ${gateway}`,
  };
}

function inWords(identity: ClientIdentity | undefined): string {
  if (identity?.kind === 'account') return `the service account ${identity.namespace}/${identity.name}`;
  return identity?.kind === 'namespace' ? `the namespace ${identity.name}` : 'a construct';
}

/** The client, where its pods reach those of the policy themselves. */
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
    return `${group}, which both clusters have, as their trust domain is one: ${own.trustDomain}`;
  }
  const fields = [
    `trustDomain: '${other.trustDomain}'`,
    ...(other.controlPlaneNamespace === 'linkerd' ? [] : [`controlPlaneNamespace: '${other.controlPlaneNamespace}'`]),
    `namespace: '${namespace}'`,
    ...(name === undefined ? [] : [`serviceAccount: '${name}'`]),
  ];
  return `Clients.elsewhere({ ${fields.join(', ')} })`;
}

/** A workload of another cluster as the target of a policy: pods of this one would be meant. */
export function targetElsewhere(path: string, { own, other }: TwoClusters): Problem {
  return {
    code: 'policy-target-elsewhere',
    what: `A policy for cluster ${own.cluster} is asked for ${path}, which is in cluster ${other.cluster}`,
    why: `It would be about pods of the same labels in ${own.cluster}, and the target stay open`,
    fix: `call it of a Meshing in cluster ${other.cluster}`,
  };
}
