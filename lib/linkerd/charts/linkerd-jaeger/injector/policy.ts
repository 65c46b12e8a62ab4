import type { NetworkAuthentication } from '../../../../../imports/crds/policy.linkerd.io';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { EXTENSION } from '../../../annotations';
import type { RenderContext } from '../../render-context';
import type { JaegerView } from '../jaeger-view';
import { component } from '../metadata';
import { authorization, POLICY_GROUP, policyMetadata, server } from '../policy/policy';

const NAME = 'jaeger-injector';
const API_SERVER = 'kube-api-server';

/** Renders the policy on who may call the injector: API servers, which have no identity in the mesh. */
export function injectorPolicy(values: JaegerView, context: RenderContext): readonly KubernetesObject[] {
  const labels = component(NAME);
  const name = `${NAME}-webhook`;
  return [
    server(values, context, { name, labels, podLabels: labels, port: NAME, proxyProtocol: 'TLS' }),
    authorization(values, context, {
      name: NAME,
      labels,
      server: name,
      clients: [{ group: POLICY_GROUP, kind: 'NetworkAuthentication', name: API_SERVER }],
    }),
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'NetworkAuthentication',
      // The chart labels it as one of Viz.
      metadata: { ...policyMetadata(values, context, { [EXTENSION]: 'viz' }), name: API_SERVER },
      // Their addresses cannot be known beforehand.
      spec: { networks: [{ cidr: '0.0.0.0/0' }, { cidr: '::/0' }] },
    } satisfies NetworkAuthentication,
  ];
}
