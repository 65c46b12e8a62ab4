import type { Metrics } from '../telemetry/metrics';

/** What a thread that serves tells the one that started it. */
export type ThreadMessage =
  | { readonly kind: 'listening'; readonly port: number }
  /** A sign of life, and what the thread still waits for before it can do its work. */
  | { readonly kind: 'alive'; readonly missing: readonly string[] }
  | ThreadMetrics;

/** What is counted where the metrics are. */
export type ThreadMetrics =
  | { readonly kind: 'admissions'; readonly admissions: readonly Parameters<Metrics['admission']>[] }
  | { readonly kind: 'restRequest'; readonly request: Parameters<Metrics['restRequest']>[0] };

/** How often a thread gives a sign of life. */
export const ALIVE_MS = 1_000;
