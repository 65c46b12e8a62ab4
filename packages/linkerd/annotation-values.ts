// Values of Linkerd's labels and annotations.

/** The values of `linkerd.io/inject` that inject a proxy. */
export const INJECTED = ['enabled', 'ingress'] as const;

/** Values of `linkerd.io/inject`; `ingress` routes by the Host or `l5d-dst-override` header. */
export type InjectMode = 'enabled' | 'ingress' | 'disabled';

/** The value of `config.linkerd.io/admission-webhooks` that excludes a namespace. */
export const ADMISSION_WEBHOOKS_DISABLED = 'disabled';

/** The value of `config.linkerd.io/reconcile` that enables restarts. */
export const RECONCILE_AUTO = 'auto';

/** The value of `linkerd.io/multus` that attaches the network. */
export const MULTUS_ENABLED = 'enabled';
