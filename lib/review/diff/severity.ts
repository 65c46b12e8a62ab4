/**
 * The severities of consequences, the most severe first. `breaks-traffic`: requests that work now are refused, or lose
 * mTLS that servers require. `opens-access`: additional clients are allowed. `error`: the change cannot be applied or
 * compared. `warning`: other changes to review. `info`: for information.
 */
export const SEVERITIES = ['breaks-traffic', 'opens-access', 'error', 'warning', 'info'] as const;

/** How severe a consequence is. */
export type Severity = (typeof SEVERITIES)[number];
