/** A label selector as in `meta/v1`. */
interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

/** A rule that selects the requests a webhook is asked about. */
interface WebhookRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT')[];
  readonly resources: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
}

interface WebhookEntry {
  /**
   * `metadata.name` of the configuration that it stands in. Mutating webhooks run in the order of these names, whoever
   * made the configurations.
   */
  readonly configuration: string;
  /** Its name in the configuration: a domain name, unique there. */
  readonly name: string;
  /** Path of the operator's webhook server. */
  readonly path: string;
  readonly rules: readonly WebhookRule[];
  /** The fate of a request when the webhook cannot be asked: it passes (`Ignore`) or is refused (`Fail`). */
  readonly failurePolicy: 'Ignore' | 'Fail';
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  /** CEL expressions over `object`, `oldObject`, `request` and `authorizer`, all of which must hold. */
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  /** The time that the API server waits for an answer, from 1 to 30 seconds. */
  readonly timeoutSeconds: number;
}

/** A webhook that may change what is written. */
export interface MutatingWebhook extends WebhookEntry {
  readonly kind: 'mutating';
  /** `IfNeeded` asks the webhook again when a later one changed the object. Default: `Never`. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/** A webhook that may refuse what is written. */
export interface ValidatingWebhook extends WebhookEntry {
  readonly kind: 'validating';
}

/**
 * An entry of a webhook configuration, but for `clientConfig`, which says where the operator runs. Every entry speaks
 * `admissionReviewVersions: [v1]` and has no side effects.
 */
export type Webhook = MutatingWebhook | ValidatingWebhook;
