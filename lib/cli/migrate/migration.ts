import type { Problem } from '../../kubernetes/findings/problem';
import type { Values } from '../../kubernetes/values';
import type { Chart } from '../../linkerd/charts/chart';
import type { Release } from '../../linkerd/releases/release';

/** Somebody's values of a chart, free of secrets and understood by the chart. */
export interface MigrationRequest {
  readonly chart: Chart;
  readonly release: Release;
  readonly values: Values;
  /** Remarks of the program on values that were left out. */
  readonly remarks: readonly string[];
  /** Namespace of the release; absent for the usual one. */
  readonly namespace?: string;
  /** Tells that the cluster has cert-manager and trust-manager, which are to stay as they are. */
  readonly existingCertManager?: boolean;
  /** Tells that no mesh runs yet, so that cert-manager may make the anchor that values do not have. */
  readonly newAnchor?: boolean;
}

/** A program that makes the same as the values did, and what it leaves out; or why there is none. */
export type Migration =
  | { readonly program: string; readonly warnings: readonly Problem[] }
  | { readonly problems: readonly Problem[] };
