import type { AuthorizationPolicy, ServerV1Beta1, ServerV1Beta3 } from '../../../../../imports/crds/policy.linkerd.io';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';

import { creator } from '../metadata/creator';
import { withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';

/** API group of the mesh's policies. */
export const POLICY_GROUP = 'policy.linkerd.io';

type Client = AuthorizationPolicy['spec']['requiredAuthenticationRefs'][number];

/** A port of Viz, and who may connect to it. */
interface GuardedPort {
  /** Name of the Server. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly podLabels: Readonly<Record<string, string>>;
  readonly port: string;
  readonly proxyProtocol: 'HTTP/1' | 'TLS';
  /** Name of the AuthorizationPolicy. */
  readonly policy: string;
  readonly client: Client;
}

/** The policy of one port: a Server, and whom it lets in. */
export function guardedPort(values: VizView, context: RenderContext, port: GuardedPort): readonly KubernetesObject[] {
  const metadata = policyMetadata(values, context, port.labels);
  return [
    {
      apiVersion: values.templates.serverVersion,
      kind: 'Server',
      metadata: { ...metadata, name: port.name },
      spec: {
        podSelector: { matchLabels: { ...port.podLabels } },
        port: port.port,
        proxyProtocol: port.proxyProtocol,
      },
    } satisfies Omit<ServerV1Beta1 | ServerV1Beta3, 'apiVersion'> & { apiVersion: string },
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'AuthorizationPolicy',
      metadata: { ...metadata, name: port.policy },
      spec: {
        targetRef: { group: POLICY_GROUP, kind: 'Server', name: port.name },
        requiredAuthenticationRefs: [port.client],
      },
    } satisfies AuthorizationPolicy,
  ];
}

/** Metadata of the objects of a policy, but for their names. */
export function policyMetadata(
  values: VizView,
  { namespace }: RenderContext,
  own: Readonly<Record<string, string>>,
): { readonly namespace: string; labels: Record<string, string>; annotations: Record<string, string> } {
  return { namespace, labels: withCommonLabels(values, own), annotations: creator(values) };
}
