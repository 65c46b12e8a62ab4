import type { LaggardPolicy } from '../../../../operator/api/trust-anchor';

/** The world in which a rotation is to be tried. */
export interface Conditions {
  /** By how many times restarts are slower than usual. */
  readonly slowdown: number;
  /** Hours for which cert-manager is away, from the worst moment on. */
  readonly outageHours: number;
  /** Minutes by which some clocks are off. */
  readonly skewMinutes: number;
  /** Days for which a node is away with a tenth of the workloads, from the beginning of the rotation on. */
  readonly awayDays: number;
  /** Days after which each workload restarts for reasons of its own; 0 for never. */
  readonly restartDays: number;
  /** Meshed workloads. */
  readonly workloads: number;
  readonly laggards: LaggardPolicy;
}

/** A usual world. */
export const USUAL: Omit<Conditions, 'laggards'> = {
  slowdown: 1,
  outageHours: 0,
  skewMinutes: 0,
  awayDays: 0,
  restartDays: 30,
  // As many as the check at synth counts on, where nobody says.
  workloads: 200,
};

/** The range of each number. */
export const RANGES = {
  slowdown: { min: 1, max: 30 },
  outageHours: { min: 0, max: 720 },
  skewMinutes: { min: 0, max: 30 },
  awayDays: { min: 0, max: 365 },
  restartDays: { min: 0, max: 730 },
  workloads: { min: 1, max: 1000 },
} as const satisfies Record<keyof typeof USUAL, { readonly min: number; readonly max: number }>;

/** A number of the conditions. */
export type NumericCondition = keyof typeof RANGES;

/** The conditions, each within its range. */
export function boundedConditions(conditions: Conditions): Conditions {
  const bounded = Object.entries(RANGES).map(([name, { min, max }]) => {
    const value = conditions[name as NumericCondition];
    return [name, Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : USUAL[name as NumericCondition]];
  });
  return { ...conditions, ...Object.fromEntries(bounded), workloads: Math.round(conditions.workloads) || 1 };
}
