import type { Problem } from '../../../problems/problem';
import type { ControlPlaneView } from '../control-plane-view';
import type { WebhookValues } from '../webhook/webhook-values';
import { checkGeneratedKeys } from './generated-keys';

const WEBHOOKS = ['proxyInjector', 'profileValidator', 'policyValidator'] as const;

type WebhookKey = (typeof WEBHOOKS)[number];
type WebhookCertificate = WebhookValues & { readonly externalSecret: boolean | undefined };

/** Reports where it is unclear how API servers are to know the certificates of webhooks, or who makes their keys. */
export function checkWebhooks(values: ControlPlaneView): readonly Problem[] {
  return WEBHOOKS.flatMap((key) => [
    ...checkCa(key, values[key]),
    ...checkGeneratedKeys(key, values[key].externalSecret),
  ]);
}

function checkCa(key: WebhookKey, values: WebhookCertificate): readonly Problem[] {
  const sources = (['injectCaFrom', 'injectCaFromSecret', 'caBundle'] as const).filter((source) => values[source]);
  if (sources.length > 1) {
    return [
      {
        what: `values.${key} has ${sources.join(' and ')}`,
        why: "cert-manager's CA injector and the values would take turns to say whose certificate the webhook has",
        fix: `keep one of them, best ${key}.injectCaFrom with the Certificate as <namespace>/<name>`,
      },
    ];
  }
  if (sources.length === 1 || !values.externalSecret) return [];
  return [
    {
      what: `values.${key}.externalSecret is true, but none of injectCaFrom, injectCaFromSecret and caBundle is set`,
      why: 'API servers would not trust the webhook, and fail on it or pass it by',
      fix: `set ${key}.injectCaFrom to the webhook's Certificate, as <namespace>/<name>`,
    },
  ];
}
