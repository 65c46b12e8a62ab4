import type { NetworkAuthentication } from '#imports/crds/policy.linkerd.io';
import type { Container, MutatingWebhookConfiguration } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { EXTENSION, PROXY_WAIT_BEFORE_EXIT_SECONDS } from '../../annotations';
import { POLICY_GROUP } from '../../api-groups';
import type { RenderContext } from '../../charts/render-context';
import { isEmpty } from '../empty';
import { withCommonLabels } from '../metadata/labels';
import { policyMetadata } from '../metadata/policy-metadata';
import { account, clusterRole, clusterRoleBinding } from '../metadata/rbac';
import { serviceAccount } from '../metadata/service-account';
import { livenessProbe, readinessProbe } from '../pod/probes';
import { CERTIFICATE_MOUNT, caInjection, certificateVolume, pinnedCa } from '../pod/serving-certificate';
import { print } from '../print';
import type { JaegerView } from './jaeger-view';
import { component, JAEGER } from './metadata';
import { authorization, server } from './policy';
import { confined, deployment, service } from './workload';

/** Renders the injector, which configures proxies to send spans. */
export function injector(values: JaegerView, context: RenderContext): readonly KubernetesObject[] {
  const name = 'jaeger-injector';
  return [
    ...injectorRbac(values, context),
    service(values, context, { name, selector: component(name), ports: [{ name, port: 443, targetPort: name }] }),
    injectorDeployment(values, context),
    injectorWebhook(values, context),
    ...injectorPolicy(values, context),
  ];
}

const NAME = 'jaeger-injector';
const ADMIN_PORT = 9995;

function injectorDeployment(values: JaegerView, context: RenderContext): KubernetesObject {
  const { webhook } = values;
  return deployment(values, context, {
    name: NAME,
    labels: { 'app.kubernetes.io/version': webhook.image.version ?? '' },
    selector: component(NAME),
    podAnnotations: { [PROXY_WAIT_BEFORE_EXIT_SECONDS]: '0' },
    placement: webhook,
    pod: { containers: [container(values)], volumes: [certificateVolume(NAME)] },
  });
}

function container(values: JaegerView): Container {
  const { clusterDomain, linkerdNamespace, webhook } = values;
  return {
    name: NAME,
    ...confined(values, webhook),
    args: [
      print`-collector-svc-addr=${webhook.collectorSvcAddr}`,
      print`-collector-svc-account=${webhook.collectorSvcAccount}`,
      print`-log-level=${webhook.logLevel}`,
      print`-cluster-domain=${clusterDomain}`,
      print`-linkerd-namespace=${linkerdNamespace}`,
      // The injector can serve profiles, but the chart has no value that enables it.
      '-enable-pprof=false',
    ],
    ports: [
      { containerPort: 8443, name: NAME },
      { containerPort: ADMIN_PORT, name: 'admin-http' },
    ],
    livenessProbe: livenessProbe({}, ADMIN_PORT),
    readinessProbe: readinessProbe({}, ADMIN_PORT),
    volumeMounts: [CERTIFICATE_MOUNT],
  };
}

function injectorWebhook(values: JaegerView, { namespace }: RenderContext): KubernetesObject {
  const { webhook: own } = values;
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: {
      name: 'linkerd-jaeger-injector-webhook-config',
      labels: withCommonLabels(values, JAEGER),
      ...caInjection(own),
    },
    webhooks: [
      {
        name: 'jaeger-injector.linkerd.io',
        ...(isEmpty(own.namespaceSelector) ? {} : { namespaceSelector: own.namespaceSelector }),
        ...(isEmpty(own.objectSelector) ? {} : { objectSelector: own.objectSelector }),
        clientConfig: { service: { name: 'jaeger-injector', namespace, path: '/' }, ...pinnedCa(own) },
        failurePolicy: own.failurePolicy,
        admissionReviewVersions: ['v1', 'v1beta1'],
        // The proxy that the webhook configures exists only after the proxy injector has run.
        reinvocationPolicy: 'IfNeeded',
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
        sideEffects: 'None',
      },
    ],
  } satisfies MutatingWebhookConfiguration;
}

const API_SERVER = 'kube-api-server';

/** Renders the policy of the injector: API servers call it without an identity in the mesh. */
function injectorPolicy(values: JaegerView, context: RenderContext): readonly KubernetesObject[] {
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
      // The chart labels this object as part of Viz.
      metadata: { ...policyMetadata(values, context, { [EXTENSION]: 'viz' }), name: API_SERVER },
      // The addresses of API servers are unknown.
      spec: { networks: [{ cidr: '0.0.0.0/0' }, { cidr: '::/0' }] },
    } satisfies NetworkAuthentication,
  ];
}

function injectorRbac(values: JaegerView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const name = 'jaeger-injector';
  const labels = withCommonLabels(values, JAEGER);
  const metadata = { name: `linkerd-${name}`, labels };
  return [
    serviceAccount(values, { name, namespace, labels }),
    clusterRole(metadata, [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] }]),
    clusterRoleBinding(metadata, metadata.name, [{ ...account(name, namespace), apiGroup: '' }]),
  ];
}
