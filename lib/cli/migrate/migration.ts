import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import type { Chart } from '../../charts/chart';
import type { Release } from '../../linkerd/releases/release';

/** A user's values of a chart, without secrets and accepted by the chart. */
export interface MigrationRequest {
  readonly chart: Chart;
  readonly release: Release;
  readonly values: Values;
  /** Remarks of the program about values that were left out. */
  readonly remarks: readonly string[];
  /** Namespace of the release; absent for the default. */
  readonly namespace?: string;
  /** The cluster already has cert-manager and trust-manager, which stay. */
  readonly existingCertManager?: boolean;
  /** No mesh runs yet, so cert-manager may issue the anchor if the values have none. */
  readonly newAnchor?: boolean;
}

/** A program equivalent to the values, and what it leaves out; or the problems. */
export type Migration =
  | { readonly program: string; readonly warnings: readonly Problem[] }
  | { readonly problems: readonly Problem[] };
