import type { LaggardPolicy } from '#anchor/trust-anchor';

/** The conditions under which to simulate a rotation. */
export interface Conditions {
  /** Factor by which restarts are slower than usual. */
  readonly slowdown: number;
  /** Hours for which cert-manager is down, from the worst moment on. */
  readonly outageHours: number;
  /** Minutes by which some clocks are off. */
  readonly skewMinutes: number;
  /** Days for which a node with a tenth of the workloads is unreachable, from the start of the rotation on. */
  readonly awayDays: number;
  /** Days after which each workload restarts for other reasons; 0 for never. */
  readonly restartDays: number;
  /** Number of meshed workloads. */
  readonly workloads: number;
  readonly laggards: LaggardPolicy;
}

/** Usual conditions. */
export const USUAL: Omit<Conditions, 'laggards'> = {
  slowdown: 1,
  outageHours: 0,
  skewMinutes: 0,
  awayDays: 0,
  restartDays: 30,
  // The default of the check at synth.
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

/** The name of a numeric condition. */
export type NumericCondition = keyof typeof RANGES;

/** Returns the conditions, each limited to its range. */
export function boundedConditions(conditions: Conditions): Conditions {
  const bounded = { ...conditions };
  for (const [name, { min, max }] of Object.entries(RANGES) as [NumericCondition, Record<'min' | 'max', number>][]) {
    const value = conditions[name];
    bounded[name] = Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : USUAL[name];
  }
  return { ...bounded, workloads: Math.round(bounded.workloads) };
}
