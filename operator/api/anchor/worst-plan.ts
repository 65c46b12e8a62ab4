import type { AnchorPolicy } from './observed';

/** One part of a rotation, and how long it takes at most. */
export interface PlanStep {
  readonly name: 'mint' | 'announce' | 'bridge' | 'sign' | 'take up' | 'turn leaves' | 'adopt' | 'retire';
  readonly time: number;
}

/** Times on which a plan depends. */
export type PlanTimes = Pick<
  AnchorPolicy,
  'lag' | 'patience' | 'leafReach' | 'skew' | 'restartTime' | 'parallelRestarts'
>;

/**
 * The steps of a rotation when everything takes as long as it may: cert-manager and identity their patience, ConfigMaps
 * and Secrets their lag, restarts their deadlines, and every one of these workloads has to be restarted.
 */
export function worstPlan(times: PlanTimes, workloads: number, way: 'bridge' | 'restarts'): readonly PlanStep[] {
  const { lag, patience, leafReach, skew, restartTime, parallelRestarts } = times;
  const adopt = { name: 'adopt', time: Math.ceil(workloads / parallelRestarts) * restartTime + lag } as const;
  const sign = [
    { name: 'sign', time: patience },
    // Identity that misses its new issuer is waited for, and then restarted.
    { name: 'take up', time: 2 * (lag + skew) + patience + restartTime },
    { name: 'turn leaves', time: leafReach + skew + lag },
  ] as const;
  return [
    { name: 'mint', time: patience },
    { name: 'announce', time: patience + lag },
    ...(way === 'bridge' ? [{ name: 'bridge', time: patience } as const, ...sign, adopt] : [adopt, ...sign]),
    { name: 'retire', time: 2 * patience + lag },
  ];
}

/** The time of a plan from its first step to its last. */
export function planTime(steps: readonly PlanStep[]): number {
  return steps.reduce((sum, { time }) => sum + time, 0);
}

/** The time of what has to be done before the old anchor may end: all but its removal. */
export function neededTime(steps: readonly PlanStep[]): number {
  return planTime(steps.filter(({ name }) => name !== 'retire'));
}
