import type { LabelSelector, MutatingWebhook, ObjectMeta } from '#imports/kubernetes';
import type { RenderContext } from '../../charts/render-context';
import { component, labels } from '../metadata/labels';
import { caInjection } from '../pod/serving-certificate';
import type { ControlPlaneView } from './control-plane-view';

/** A webhook of the control plane. */
export interface Webhook {
  /** Name of its Service, with which the names of its other objects begin. */
  readonly service: 'linkerd-policy-validator' | 'linkerd-proxy-injector' | 'linkerd-sp-validator';
  readonly component: string;
  readonly values: WebhookValues;
}

/** Returns the name, labels and CA injection of a webhook's configuration. */
export function webhookMetadata(values: ControlPlaneView, { namespace }: RenderContext, webhook: Webhook) {
  return {
    name: `${webhook.service}-webhook-config`,
    labels: labels(values, namespace, component(webhook.component)),
    ...caInjection(webhook.values),
  } satisfies ObjectMeta;
}

/** Returns the parts that all webhooks of the control plane share. */
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

interface WebhookValues {
  readonly namespaceSelector: LabelSelector | undefined;
  readonly caBundle: string | undefined;
  readonly injectCaFrom: string | undefined;
  readonly injectCaFromSecret: string | undefined;
}
