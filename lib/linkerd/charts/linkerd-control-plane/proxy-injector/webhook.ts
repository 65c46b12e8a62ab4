import type { MutatingWebhookConfiguration } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { type Webhook, webhookBase, webhookMetadata } from '../webhook/webhook-configuration';

const DEFAULT_TIMEOUT_SECONDS = 10;

/** The webhook that gives pods their proxy, and Services the opaque ports of their namespace. */
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
