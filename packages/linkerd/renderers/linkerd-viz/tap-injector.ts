import type { MutatingWebhookConfiguration } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { RenderContext } from '../../charts/render-context';
import { isEmpty } from '../empty';
import { withCommonLabels } from '../metadata/labels';
import { account, clusterRole, clusterRoleBinding } from '../metadata/rbac';
import { serviceAccount } from '../metadata/service-account';
import { apiAccessMounts, apiAccessVolumes } from '../pod/kube-api-access';
import { CERTIFICATE_MOUNT, caInjection, certificateVolume, pinnedCa } from '../pod/serving-certificate';
import { print } from '../print';
import { trustDomain } from '../trust-domain';
import { applicationName, component, VIZ } from './metadata';
import type { VizView } from './viz-view';
import {
  componentAffinity,
  container,
  deployment,
  disruptionBudget,
  logArguments,
  NO_PROFILES,
  podAnnotations,
  rollout,
  SAFE_TO_EVICT,
  service,
} from './workload';

/** Renders the tap injector without its policy. */
export function tapInjector(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { replicas, service: ownService } = values.tapInjector;
  return [
    ...tapInjectorRbac(values, context),
    service(values, context, {
      name: 'tap-injector',
      labels: withCommonLabels(values, component('tap-injector')),
      annotations: ownService.annotations,
      ports: [{ name: 'tap-injector', port: 443, targetPort: 'tap-injector' }],
    }),
    tapInjectorDeployment(values, context),
    tapInjectorWebhook(values, context),
    ...disruptionBudget(values, context, 'tap-injector', replicas),
  ];
}

const NAME = 'tap-injector';

function tapInjectorDeployment(values: VizView, context: RenderContext): KubernetesObject {
  const own = values.tapInjector;
  return deployment(values, context, {
    name: NAME,
    replicas: own.replicas,
    strategy: rollout(values),
    labels: { ...applicationName(NAME), ...component(NAME) },
    selector: { component: NAME },
    podLabels: component(NAME),
    podAnnotations: { ...podAnnotations(values, own.proxy), ...SAFE_TO_EVICT },
    placement: values,
    pod: {
      affinity: componentAffinity(values, NAME),
      containers: [
        container(values, own, {
          name: NAME,
          args: [
            'injector',
            `-tap-service-name=${tapIdentity(values, context)}`,
            ...logArguments(values, own),
            NO_PROFILES,
          ],
          ports: [{ containerPort: 8443, name: NAME }],
          adminPort: 9995,
          volumeMounts: [CERTIFICATE_MOUNT, ...apiAccessMounts(values)],
        }),
      ],
      volumes: [certificateVolume(NAME), ...apiAccessVolumes(values)],
    },
  });
}

function tapIdentity(values: VizView, { namespace }: RenderContext): string {
  return print`tap.${namespace}.serviceaccount.identity.${values.linkerdNamespace}.${trustDomain(values)}`;
}

function tapInjectorWebhook(values: VizView, { namespace }: RenderContext): KubernetesObject {
  const { tapInjector: own } = values;
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: {
      name: 'linkerd-tap-injector-webhook-config',
      labels: withCommonLabels(values, VIZ),
      ...caInjection(own),
    },
    webhooks: [
      {
        name: 'tap-injector.linkerd.io',
        ...(isEmpty(own.namespaceSelector) ? {} : { namespaceSelector: own.namespaceSelector }),
        ...(isEmpty(own.objectSelector) ? {} : { objectSelector: own.objectSelector }),
        clientConfig: { service: { name: 'tap-injector', namespace, path: '/' }, ...pinnedCa(own) },
        failurePolicy: own.failurePolicy,
        admissionReviewVersions: ['v1', 'v1beta1'],
        // The proxy that the webhook configures exists only after the proxy injector has run.
        reinvocationPolicy: 'IfNeeded',
        rules: [
          {
            operations: ['CREATE'],
            apiGroups: [''],
            apiVersions: ['v1'],
            resources: ['pods'],
            scope: values.templates.tappedScope,
          },
        ],
        sideEffects: 'None',
      },
    ],
  } satisfies MutatingWebhookConfiguration;
}

/** Renders the permissions of the tap injector: read whether tap is disabled for a namespace. */
function tapInjectorRbac(values: VizView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const labels = withCommonLabels(values, VIZ);
  const metadata = { name: 'linkerd-tap-injector', labels };
  return [
    serviceAccount(values, { name: 'tap-injector', namespace, labels }),
    clusterRole(metadata, [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] }]),
    clusterRoleBinding(metadata, metadata.name, [account('tap-injector', namespace)]),
  ];
}
