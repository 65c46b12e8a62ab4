import type { Chart } from '../../charts/chart';
import type { Problem } from '../../problems/problem';
import { DEFAULT_LINKERD_VERSION, type Release } from '../../releases/release';
import type { Values } from '../../releases/values';

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
}

/** A program that makes the same as the values did, and what it leaves out; or why there is none. */
export type Migration =
  | { readonly program: string; readonly warnings: readonly Problem[] }
  | { readonly problems: readonly Problem[] };

/** Returns the version that a program names: none where it is the one that constructs take anyway. */
export function programVersion({ version }: Release): string | undefined {
  return version === DEFAULT_LINKERD_VERSION ? undefined : version;
}
