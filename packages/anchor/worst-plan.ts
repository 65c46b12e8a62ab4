import type { AnchorPolicy } from './observed';

/** One part of a rotation, and its maximum duration. */
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
 * Returns the steps of a rotation when everything takes its maximum: cert-manager and identity their timeouts,
 * ConfigMaps and Secrets their lag, restarts their deadlines, and every one of these workloads has to be restarted.
 */
export function worstPlan(times: PlanTimes, workloads: number, way: 'bridge' | 'restarts'): readonly PlanStep[] {
  const { lag, patience, leafReach, skew, restartTime, parallelRestarts } = times;
  const adopt = { name: 'adopt', time: Math.ceil(workloads / parallelRestarts) * restartTime + lag } as const;
  const sign = [
    { name: 'sign', time: patience },
    // If identity misses its new issuer, the operator waits for it, and then restarts it.
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

/**
 * Returns the time until nothing trusts a key that leaked, if everything takes its maximum: without a bridge, pods
 * restart to learn the next anchor, to get its certificates (unless the old ones expire first), and to forget the old
 * one.
 */
export function emergencyTime(times: PlanTimes, workloads: number): number {
  const { lag, skew, restartTime, parallelRestarts } = times;
  const restarts = Math.ceil(workloads / parallelRestarts) * restartTime + 2 * lag + skew;
  const plan = worstPlan(times, workloads, 'restarts').map((step) =>
    step.name === 'turn leaves' ? { ...step, time: Math.min(step.time, restarts) } : step,
  );
  return planTime(plan) + lag + restarts;
}

/** Returns the time of a plan from its first step to its last. */
export function planTime(steps: readonly PlanStep[]): number {
  return steps.reduce((sum, { time }) => sum + time, 0);
}

/** Returns the time of the steps before the old anchor may expire: all except its removal. */
export function neededTime(steps: readonly PlanStep[]): number {
  return planTime(steps.filter(({ name }) => name !== 'retire'));
}
