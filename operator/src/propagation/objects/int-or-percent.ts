/** A number, or a share of the replicas such as `25%`. */
export type IntOrPercent = number | string;

/** Returns the number of a value. Shares are rounded as the field's controller does. */
export function resolveIntOrPercent(value: IntOrPercent, of: number, round: (n: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) * of) / 100);
}
