/** A chart of the releases of one group, whose sources differ only in the version. */
export interface ChartGroup<F> {
  /** The release whose values, types and schema of values are in `imports/`. Groups with equal values share one. */
  readonly values: string;
  /** How its templates differ from those of other groups. */
  readonly templates: F;
}
