/**
 * The severities of consequences, the gravest first. `breaks-traffic`: requests that work now are refused, or lose mTLS
 * that others ask of them. `opens-access`: clients get in that did not. `error`: it cannot be applied, or not be compared.
 * `warning`: something else to review. `info`: for information.
 */
export const SEVERITIES = ['breaks-traffic', 'opens-access', 'error', 'warning', 'info'] as const;

/** One of them. */
export type Severity = (typeof SEVERITIES)[number];
