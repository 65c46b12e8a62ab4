import type { AuthorizationPolicy, ServerV1Beta1 } from '../../../../../imports/crds/policy.linkerd.io';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import type { JaegerView } from '../jaeger-view';
import { creator, withCommonLabels } from '../metadata';

/** API group of the mesh's policies. */
export const POLICY_GROUP = 'policy.linkerd.io';

type Labels = Readonly<Record<string, string>>;
type Client = AuthorizationPolicy['spec']['requiredAuthenticationRefs'][number];

/** A port of the extension that needs an authorization. */
interface GuardedPort {
  readonly name: string;
  readonly labels: Labels;
  readonly podLabels: Labels;
  readonly port: string | number;
  readonly proxyProtocol?: NonNullable<ServerV1Beta1['spec']['proxyProtocol']>;
}

/** A Server of the extension. */
export function server(
  values: JaegerView,
  context: RenderContext,
  { name, labels, podLabels, port, proxyProtocol }: GuardedPort,
): KubernetesObject {
  return {
    apiVersion: 'policy.linkerd.io/v1beta1',
    kind: 'Server',
    metadata: { ...policyMetadata(values, context, labels), name },
    spec: { podSelector: { matchLabels: { ...podLabels } }, port, ...(proxyProtocol ? { proxyProtocol } : {}) },
  } satisfies ServerV1Beta1;
}

/** The clients of a Server. */
interface Authorization {
  readonly name: string;
  readonly labels: Labels;
  /** Name of the Server. */
  readonly server: string;
  /** The clients that are let in; without any, all are. */
  readonly clients: readonly Client[];
}

/** An AuthorizationPolicy of the extension. */
export function authorization(
  values: JaegerView,
  context: RenderContext,
  { name, labels, server: target, clients }: Authorization,
): KubernetesObject {
  return {
    apiVersion: 'policy.linkerd.io/v1alpha1',
    kind: 'AuthorizationPolicy',
    metadata: { ...policyMetadata(values, context, labels), name },
    spec: {
      targetRef: { group: POLICY_GROUP, kind: 'Server', name: target },
      requiredAuthenticationRefs: clients,
    },
  } satisfies AuthorizationPolicy;
}

/** Metadata of the objects of a policy, but for their names. */
export function policyMetadata(
  values: JaegerView,
  { namespace }: RenderContext,
  own: Labels,
): { readonly namespace: string; labels: Record<string, string>; annotations: Record<string, string> } {
  return { namespace, labels: withCommonLabels(values, own), annotations: creator(values) };
}
