import type {
  AuthorizationPolicy,
  MeshTLSAuthentication,
  NetworkAuthentication,
  Server,
} from '../../../../../imports/crds/policy.linkerd.io';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import { POLICY_GROUP } from '../admin-policy';
import { creator, labels } from '../metadata';
import type { MulticlusterView } from '../multicluster-view';
import { gatewayLabel } from './gateway';

const SERVER = 'linkerd-gateway';
const ANY_MESHED = 'any-meshed';
const SOURCE_CLUSTER = 'source-cluster';

/** The policy of the gateway: whoever has an identity of the mesh may pass, from any network. */
export function gatewayPolicy(values: MulticlusterView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const metadata = { namespace, labels: labels(values, gatewayLabel(values)), annotations: creator(values) };
  const authentication = (kind: string, name: string) => ({ group: POLICY_GROUP, kind, name, namespace });
  return [
    {
      apiVersion: 'policy.linkerd.io/v1beta3',
      kind: 'Server',
      metadata: { ...metadata, name: SERVER },
      spec: { podSelector: { matchLabels: gatewayLabel(values) }, port: 'linkerd-proxy' },
    } satisfies Server,
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'AuthorizationPolicy',
      metadata: { ...metadata, name: SERVER },
      spec: {
        targetRef: { group: POLICY_GROUP, kind: 'Server', name: SERVER },
        requiredAuthenticationRefs: [
          authentication('MeshTLSAuthentication', ANY_MESHED),
          authentication('NetworkAuthentication', SOURCE_CLUSTER),
        ],
      },
    } satisfies AuthorizationPolicy,
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'MeshTLSAuthentication',
      metadata: { ...metadata, name: ANY_MESHED },
      spec: { identities: ['*'] },
    } satisfies MeshTLSAuthentication,
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'NetworkAuthentication',
      metadata: { ...metadata, name: SOURCE_CLUSTER },
      spec: { networks: [{ cidr: '0.0.0.0/0' }, { cidr: '::/0' }] },
    } satisfies NetworkAuthentication,
  ];
}
