/** A chart of the releases of one group: its sources are equal but for the version. */
export interface ChartGroup<F> {
  /** The release whose values, types and schema of values are in `imports/`. Groups with equal values have one. */
  readonly values: string;
  /** The differences of its templates from those of other groups. */
  readonly templates: F;
}
