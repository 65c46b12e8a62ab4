import type { LabelSelector } from '#base/label-selector';

interface WebhookRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT')[];
  readonly resources: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
}

interface WebhookEntry {
  /**
   * `metadata.name` of its configuration. Mutating webhooks run in the order of these names, whatever created the
   * configurations.
   */
  readonly configuration: string;
  /** A domain name, unique in the configuration. */
  readonly name: string;
  readonly path: string;
  readonly rules: readonly WebhookRule[];
  readonly failurePolicy: 'Ignore' | 'Fail';
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  /** CEL expressions over `object`, `oldObject`, `request` and `authorizer`, all of which must be true. */
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  /** How long the API server waits for an answer, from 1 to 30 seconds. */
  readonly timeoutSeconds: number;
}

/** A webhook that may change objects. */
export interface MutatingWebhook extends WebhookEntry {
  readonly kind: 'mutating';
  /** `IfNeeded` calls the webhook again when a later one has changed the object. Default: `Never`. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/** A webhook that may refuse objects. */
export interface ValidatingWebhook extends WebhookEntry {
  readonly kind: 'validating';
}

/**
 * An entry of a webhook configuration without `clientConfig`, the address of the operator. Every entry has
 * `admissionReviewVersions: [v1]` and no side effects.
 */
export type Webhook = MutatingWebhook | ValidatingWebhook;
