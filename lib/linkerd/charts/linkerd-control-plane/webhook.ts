import type { LabelSelector, MutatingWebhook, ObjectMeta } from '../../../../imports/kubernetes';
import { isEmpty } from '../empty';
import { component, labels } from '../metadata/labels';
import type { RenderContext } from '../render-context';
import type { ControlPlaneView } from './control-plane-view';

/** A webhook of the control plane. */
export interface Webhook {
  /** Its Service, after which everything else of it is named. */
  readonly service: 'linkerd-policy-validator' | 'linkerd-proxy-injector' | 'linkerd-sp-validator';
  readonly component: string;
  readonly values: WebhookValues;
}

/** Name, labels and CA injection of a webhook's configuration. */
export function webhookMetadata(values: ControlPlaneView, { namespace }: RenderContext, webhook: Webhook) {
  const injection = {
    ...(webhook.values.injectCaFrom ? { 'cert-manager.io/inject-ca-from': webhook.values.injectCaFrom } : {}),
    ...(webhook.values.injectCaFromSecret
      ? { 'cert-manager.io/inject-ca-from-secret': webhook.values.injectCaFromSecret }
      : {}),
  };
  return {
    name: `${webhook.service}-webhook-config`,
    labels: labels(values, namespace, component(webhook.component)),
    ...(isEmpty(injection) ? {} : { annotations: injection }),
  } satisfies ObjectMeta;
}

/** Returns the part that all webhooks of the control plane have in common. */
export function webhookBase(values: ControlPlaneView, { namespace }: RenderContext, webhook: Webhook) {
  const { caBundle, injectCaFrom, injectCaFromSecret, namespaceSelector } = webhook.values;
  const isPinned = !injectCaFrom && !injectCaFromSecret && caBundle;
  return {
    name: `${webhook.service}.linkerd.io`,
    namespaceSelector,
    clientConfig: {
      service: { name: webhook.service, namespace, path: '/' },
      ...(isPinned ? { caBundle: Buffer.from(caBundle.trim()).toString('base64') } : {}),
    },
    failurePolicy: values.webhookFailurePolicy,
    admissionReviewVersions: ['v1', 'v1beta1'],
    sideEffects: 'None',
  } satisfies MutatingWebhook;
}

/** Values of a webhook: what it looks at, and how the API server knows it. */
interface WebhookValues {
  readonly namespaceSelector: LabelSelector | undefined;
  readonly caBundle: string | undefined;
  readonly injectCaFrom: string | undefined;
  readonly injectCaFromSecret: string | undefined;
}
