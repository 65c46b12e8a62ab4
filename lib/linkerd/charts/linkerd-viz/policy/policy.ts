import type { MeshTLSAuthentication, NetworkAuthentication } from '../../../../../imports/crds/policy.linkerd.io';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';

import { component, namespacedComponent, VIZ } from '../metadata/labels';
import type { VizView } from '../viz-view';
import { guardedPort, POLICY_GROUP, policyMetadata } from './server';

const API_SERVER = 'kube-api-server';

/** Renders the policies on who may connect to which component of Viz. */
export function vizPolicy(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  return [
    ...metricsApiPolicy(values, context),
    ...prometheusPolicy(values, context),
    ...webhookPolicy(values, context),
    anyNetwork(values, context, API_SERVER),
    anyNetwork(values, context, 'kubelet'),
  ];
}

/** Only the dashboard asks metrics-api; the CLI's port forwarding ends behind its proxy. */
function metricsApiPolicy(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const labels = component('metrics-api');
  const client = 'metrics-api-web';
  return [
    ...guardedPort(values, context, {
      name: 'metrics-api',
      labels,
      podLabels: labels,
      port: 'http',
      proxyProtocol: 'HTTP/1',
      policy: 'metrics-api',
      client: { group: POLICY_GROUP, kind: 'MeshTLSAuthentication', name: client },
    }),
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'MeshTLSAuthentication',
      metadata: { ...policyMetadata(values, context, labels), name: client },
      spec: { identityRefs: [{ kind: 'ServiceAccount', name: 'web' }] },
    } satisfies MeshTLSAuthentication,
  ];
}

/** Only metrics-api asks Prometheus. The chart has the policy even where it has no Prometheus. */
function prometheusPolicy(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  return guardedPort(values, context, {
    name: 'prometheus-admin',
    labels: VIZ,
    podLabels: namespacedComponent('prometheus', namespace),
    port: values.templates.adminPort,
    proxyProtocol: 'HTTP/1',
    policy: 'prometheus-admin',
    client: { kind: 'ServiceAccount', name: 'metrics-api', namespace },
  });
}

/** API servers, which have no identity in the mesh, call tap and its injector. */
function webhookPolicy(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const client = { group: POLICY_GROUP, kind: 'NetworkAuthentication', name: API_SERVER };
  const ports = [
    { name: 'tap-api', policy: 'tap', port: 'apiserver' },
    { name: 'tap-injector-webhook', policy: 'tap-injector', port: 'tap-injector' },
  ];
  return ports.flatMap(({ name, policy, port }) => {
    const labels = component(policy);
    return guardedPort(values, context, {
      name,
      labels,
      podLabels: labels,
      port,
      proxyProtocol: 'TLS',
      policy,
      client,
    });
  });
}

/** Addresses of API servers and kubelets cannot be known beforehand. */
function anyNetwork(values: VizView, context: RenderContext, name: string): KubernetesObject {
  return {
    apiVersion: 'policy.linkerd.io/v1alpha1',
    kind: 'NetworkAuthentication',
    metadata: { ...policyMetadata(values, context, VIZ), name },
    spec: { networks: [{ cidr: '0.0.0.0/0' }, { cidr: '::/0' }] },
  } satisfies NetworkAuthentication;
}
