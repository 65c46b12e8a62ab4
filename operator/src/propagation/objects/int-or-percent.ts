/** A number, or a share of the replicas such as `25%`. */
export type IntOrPercent = number | string;

/** Returns its number; a fractional share is rounded as the field's controller does. */
export function resolveIntOrPercent(value: IntOrPercent, of: number, round: (n: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) * of) / 100);
}
