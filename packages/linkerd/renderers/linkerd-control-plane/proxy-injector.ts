import { TRUST_ROOTS } from '#anchor/trust-anchor';
import type { Container, MutatingWebhookConfiguration, PolicyRule } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { OPAQUE_PORTS } from '../../annotations';
import type { RenderContext } from '../../charts/render-context';
import { component, labels } from '../metadata/labels';
import { account, clusterRole, clusterRoleBinding } from '../metadata/rbac';
import { addedEnvironment } from '../pod/environment';
import { apiAccessVolumes } from '../pod/kube-api-access';
import { livenessProbe, readinessProbe } from '../pod/probes';
import { resources } from '../pod/resources';
import { print } from '../print';
import type { ControlPlaneView } from './control-plane-view';
import { serviceAccount, sha256 } from './metadata';
import { meshedContainers } from './proxy/meshed-containers';
import { proxyInjectorPod } from './proxy/meshed-pod';
import { proxyVolumes } from './proxy/volumes';
import { type Webhook, webhookBase, webhookMetadata } from './webhook';
import { controller, deployment, podAnnotations, portName, service } from './workload';

const WEBHOOK_PORT = 8443;
const ADMIN_PORT = 9995;

/**
 * Renders the Deployment of the webhook that injects proxies. It restarts when the configuration of proxies changes.
 *
 * @param config - text of the values in the `linkerd-config` ConfigMap
 */
export function proxyInjectorDeployment(
  values: ControlPlaneView,
  context: RenderContext,
  config: string,
): KubernetesObject {
  return deployment(values, context, {
    component: 'proxy-injector',
    selector: component('proxy-injector'),
    annotations: {
      'checksum/config': sha256(config),
      ...podAnnotations(values, values.identity.podAnnotations),
      [OPAQUE_PORTS]: `${WEBHOOK_PORT}`,
    },
    pod: {
      ...meshedContainers(values, context, proxyInjectorPod(values), [proxyInjectorContainer(values, context)]),
      volumes: [
        { name: 'config', configMap: { name: 'linkerd-config' } },
        { name: 'trust-roots', configMap: { name: TRUST_ROOTS } },
        { name: 'tls', secret: { secretName: 'linkerd-proxy-injector-k8s-tls' } },
        ...apiAccessVolumes(values),
        ...proxyVolumes(values),
      ],
    },
  });
}

function proxyInjectorContainer(values: ControlPlaneView, { namespace }: RenderContext): Container {
  const { proxyInjector: own } = values;
  const env = addedEnvironment(own);
  return controller(
    values,
    {
      name: 'proxy-injector',
      args: [
        'proxy-injector',
        print`-log-level=${values.controllerLogLevel}`,
        print`-log-format=${values.controllerLogFormat}`,
        `-linkerd-namespace=${namespace}`,
        `-enable-pprof=${values.enablePprof ?? false}`,
      ],
      ...(env.length > 0 ? { env } : {}),
      livenessProbe: livenessProbe(own.livenessProbe, ADMIN_PORT),
      readinessProbe: readinessProbe(own.readinessProbe, ADMIN_PORT),
      ports: [
        { containerPort: WEBHOOK_PORT, name: 'proxy-injector' },
        { containerPort: ADMIN_PORT, name: portName(values, 'injector-admin') },
      ],
      resources: resources(values.proxyInjectorResources),
    },
    [
      { mountPath: '/var/run/linkerd/config', name: 'config' },
      { mountPath: '/var/run/linkerd/identity/trust-roots', name: 'trust-roots' },
      { mountPath: '/var/run/linkerd/tls', name: 'tls', readOnly: true },
    ],
  );
}

/** Renders the Service at which API servers call the injector. */
export function proxyInjectorService(values: ControlPlaneView, context: RenderContext): KubernetesObject {
  return service(values, context, {
    name: 'linkerd-proxy-injector',
    component: 'proxy-injector',
    port: { name: 'proxy-injector', port: 443, targetPort: 'proxy-injector' },
    annotations: { [OPAQUE_PORTS]: '443' },
  });
}

const DEFAULT_TIMEOUT_SECONDS = 10;

/** Renders the webhook that injects proxies into pods, and sets a namespace's opaque ports on Services. */
export function proxyInjectorWebhook(values: ControlPlaneView, context: RenderContext): KubernetesObject {
  const { proxyInjector, templates } = values;
  const webhook: Webhook = {
    service: 'linkerd-proxy-injector',
    component: 'proxy-injector',
    values: proxyInjector,
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: webhookMetadata(values, context, webhook),
    webhooks: [
      {
        ...webhookBase(values, context, webhook),
        objectSelector: proxyInjector.objectSelector,
        rules: [
          {
            operations: ['CREATE'],
            apiGroups: [''],
            apiVersions: ['v1'],
            resources: ['pods', 'services'],
            ...(templates.boundedInjection ? { scope: 'Namespaced' } : {}),
          },
        ],
        ...(templates.boundedInjection
          ? { timeoutSeconds: proxyInjector.timeoutSeconds || DEFAULT_TIMEOUT_SECONDS }
          : {}),
      },
    ],
  } satisfies MutatingWebhookConfiguration;
}

const READ = ['list', 'get', 'watch'];

const RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
  { apiGroups: [''], resources: ['namespaces', 'replicationcontrollers'], verbs: READ },
  { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] },
  {
    apiGroups: ['extensions', 'apps'],
    resources: ['deployments', 'replicasets', 'daemonsets', 'statefulsets'],
    verbs: READ,
  },
  { apiGroups: ['extensions', 'batch'], resources: ['cronjobs', 'jobs'], verbs: READ },
];

/**
 * Renders the permissions of the injector: find the workload and the namespace of a pod, and emit events for the
 * workload.
 */
export function proxyInjectorRbac(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  const own = labels(values, namespace, component('proxy-injector'));
  const metadata = { name: `linkerd-${namespace}-proxy-injector`, labels: own };
  const subject = { ...account('linkerd-proxy-injector', namespace), apiGroup: '' };
  return [
    serviceAccount(values, context, 'proxy-injector'),
    clusterRole(metadata, RULES),
    clusterRoleBinding(metadata, metadata.name, [subject]),
  ];
}
