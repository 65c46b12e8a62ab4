import type { Chart } from '../../charts/chart';
import type { Problem } from '../../problems/problem';
import type { Values } from '../../releases/values';
import type { LinkerdVersion } from '../../releases/versions';

/** Somebody's values of a chart, free of secrets and understood by the chart. */
export interface MigrationRequest {
  readonly chart: Chart;
  readonly version: LinkerdVersion;
  readonly values: Values;
  /** Remarks of the program on values that were left out. */
  readonly remarks: readonly string[];
  /** Namespace of the release; absent for the usual one. */
  readonly namespace?: string;
}

/** A program that makes the same as the values did, and what it leaves out; or why there is none. */
export type Migration =
  | { readonly program: string; readonly warnings: readonly Problem[] }
  | { readonly problems: readonly Problem[] };
