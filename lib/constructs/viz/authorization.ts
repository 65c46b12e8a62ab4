import type { Construct } from 'constructs';
import type { AuthorizationPolicy } from '#imports/crds/policy.linkerd.io';
import { EXTENSION } from '#linkerd/annotations';
import { manifest } from '../../gitops/tree/manifest';

/** A client's permission to reach a server. */
export interface Authorization {
  readonly name: string;
  readonly namespace: string;
  readonly target: AuthorizationPolicy['spec']['targetRef'];
  /** The authentication that a client needs. Only one, because a policy requires all authentications that it lists. */
  readonly client: AuthorizationPolicy['spec']['requiredAuthenticationRefs'][number];
}

/** Adds an AuthorizationPolicy that belongs to Viz. */
export function addAuthorization(scope: Construct, { name, namespace, target, client }: Authorization): void {
  manifest(scope, `authorization-${name}`, {
    apiVersion: 'policy.linkerd.io/v1alpha1',
    kind: 'AuthorizationPolicy',
    metadata: policyMetadata(name, namespace),
    spec: { targetRef: target, requiredAuthenticationRefs: [client] },
  } satisfies AuthorizationPolicy);
}

/** Metadata of a policy that belongs to Viz. */
export function policyMetadata(name: string, namespace: string) {
  return { name, namespace, labels: { [EXTENSION]: 'viz' } };
}
