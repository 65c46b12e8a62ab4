import type { Metrics } from '../telemetry/metrics';

/** A message of a thread that serves to the thread that started it. */
export type ThreadMessage =
  | { readonly kind: 'listening'; readonly port: number }
  /** A sign of life, and what the thread still waits for before it can do its work. */
  | { readonly kind: 'alive'; readonly missing: readonly string[] }
  | ThreadMetrics;

/** Counts for the metrics, which the other thread keeps. */
export type ThreadMetrics =
  | { readonly kind: 'admissions'; readonly admissions: readonly Parameters<Metrics['admission']>[] }
  | { readonly kind: 'restRequest'; readonly request: Parameters<Metrics['restRequest']>[0] };

/** Milliseconds between a thread's signs of life. */
export const ALIVE_MS = 1_000;
