import { listed } from '#base/findings/listed';
import type { Problem } from '#base/findings/problem';
import { grouped } from '#base/grouped';
import { isObject } from '#base/is-object';
import { itemsOf, textIn } from '#base/select-fields';
import { describeObject, type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import type { Warning } from '../warnings';
import { unmeshed } from './enforcement-rules';
import { LINKERD_POLICY_FINDINGS } from './findings';
import { type Guards, isOfLinkerd } from './guards';
import type { PodSet } from './pod-sets';

/** The pods of each service account, by `namespace/name`. */
export type PodsByAccount = ReadonlyMap<string, readonly PodSet[]>;

/** Returns the pods of a cluster by their accounts. */
export function podsByAccount({ index }: Guards): PodsByAccount {
  return grouped(index.all.map((pods) => [`${pods.namespace}/${pods.account}`, pods]));
}

/** Reports clients without an identity, because their pods have no proxy. */
export function checkClients(object: KubernetesObject, guards: Guards, byAccount: PodsByAccount): readonly Problem[] {
  return accountsIn(object).flatMap((account) => {
    const pods = byAccount.get(account) ?? [];
    const isOutside = pods.length > 0 && pods.every((one) => unmeshed(one, guards.index) !== undefined);
    if (!isOutside) return [];
    return [LINKERD_POLICY_FINDINGS.clientNotMeshed({ policy: describeObject(object), account, pods: names(pods) })];
  });
}

/** Warns about accounts that several workloads share, perhaps unexpectedly. */
export function clientWarnings(object: KubernetesObject, byAccount: PodsByAccount): readonly Warning[] {
  return accountsIn(object)
    .filter((account) => account.endsWith('/default'))
    .flatMap((account) => {
      const pods = byAccount.get(account) ?? [];
      if (new Set(pods.map(({ object }) => object)).size < 2) return [];
      return [
        LINKERD_POLICY_FINDINGS.serviceAccountShared({ policy: describeObject(object), account, pods: names(pods) }),
      ];
    });
}

const AUTHENTICATIONS = ['policy.linkerd.io/MeshTLSAuthentication', 'policy.linkerd.io/AuthorizationPolicy'];

function accountsIn(object: KubernetesObject): readonly string[] {
  if (!AUTHENTICATIONS.includes(`${apiGroup(object.apiVersion)}/${object.kind}`) || isOfLinkerd(object)) return [];
  const { identityRefs, requiredAuthenticationRefs } = isObject(object.spec) ? object.spec : {};
  return [...itemsOf(identityRefs), ...itemsOf(requiredAuthenticationRefs)]
    .filter((ref) => textIn(ref, 'kind') === 'ServiceAccount')
    .map((ref) => `${textIn(ref, 'namespace') ?? namespaceOf(object)}/${textIn(ref, 'name')}`);
}

function names(pods: readonly PodSet[]): string {
  return listed([...new Set(pods.map(({ object }) => describeObject(object)))], 3);
}
