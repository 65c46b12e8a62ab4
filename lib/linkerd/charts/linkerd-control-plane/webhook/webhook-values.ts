import type { LabelSelector } from '../../../../../imports/kubernetes';

/** Values of a webhook: what it looks at, and how the API server knows it. */
export interface WebhookValues {
  readonly namespaceSelector: LabelSelector | undefined;
  readonly caBundle: string | undefined;
  readonly injectCaFrom: string | undefined;
  readonly injectCaFromSecret: string | undefined;
}
