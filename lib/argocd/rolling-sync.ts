import type { ApplicationSet } from '../../imports/crds/argoproj.io';
import type { Problem } from '../problems/problem';
import type { ApplicationFolder } from './application-folder';
import { folderValue } from './folder-template';

/** All Applications at once: they wait for each other by failing and trying again. */
export interface AllAtOnce {
  readonly type: 'AllAtOnce';
}

/**
 * One stage after the other: a stage is synced when all Applications of the stages before are Healthy and Synced.
 *
 * Beta in Argo CD since 3.3, and to be enabled in its ApplicationSet controller
 * (`applicationsetcontroller.enable.progressive.syncs`). The controller then starts every sync itself: automated sync,
 * self-healing included, is off. What keeps an Application from being Healthy and Synced keeps back all later stages.
 */
export interface RollingSync {
  readonly type: 'RollingSync';

  /**
   * Most Applications of one stage that are synced at a time: a whole number from 1, or a percentage of the stage's
   * Applications from `'1%'` to `'100%'`.
   *
   * @default - all of a stage
   */
  readonly maxUpdate?: number | `${number}%`;
}

/** In which order the Applications of an ApplicationSet are synced. */
export type SyncStrategy = AllAtOnce | RollingSync;

/** The label by which the steps of a rolling sync find their Applications. */
export const STAGE_LABEL = 'cdk8s-linkerd/stage';

type Strategy = NonNullable<ApplicationSet['spec']['strategy']>;
type Step = NonNullable<NonNullable<Strategy['rollingSync']>['steps']>[number];

/** The value of the stage label, as a Go template. */
export function stageLabel(folders: readonly ApplicationFolder[], prefix: string): string {
  return `{{ ${folderValue(folders, ({ stage = 0 }) => String(stage), prefix)} }}`;
}

/**
 * The steps of a rolling sync. An Application that matches no step is never synced, and one that matches two makes both
 * wait for it: so each step but the last takes one stage, and the last all that the others do not, folders that are
 * not known here included.
 */
export function rollingSync(folders: readonly ApplicationFolder[], { maxUpdate }: RollingSync): Strategy {
  const stages = [...new Set(folders.map(({ stage = 0 }) => stage))].sort((a, b) => a - b).map(String);
  const earlier = stages.slice(0, -1);
  const steps: Step[] = earlier.map((stage) => step('In', [stage]));
  steps.push(earlier.length > 0 ? step('NotIn', earlier) : {});
  return {
    type: 'RollingSync',
    rollingSync: { steps: steps.map((each) => (maxUpdate === undefined ? each : { ...each, maxUpdate })) },
  };
}

/** Reports what of a strategy would keep Applications from ever being synced. */
export function checkSyncStrategy(strategy: SyncStrategy | undefined): readonly Problem[] {
  if (strategy?.type !== 'RollingSync' || strategy.maxUpdate === undefined) return [];
  const { maxUpdate } = strategy;
  const count = typeof maxUpdate === 'number' ? maxUpdate : Number(/^(\d+)%$/.exec(maxUpdate)?.[1]);
  const most = typeof maxUpdate === 'number' ? Number.POSITIVE_INFINITY : 100;
  if (Number.isInteger(count) && count >= 1 && count <= most) return [];
  return [
    {
      code: 'max-update-refused',
      what: `strategy.maxUpdate is ${JSON.stringify(maxUpdate)}`,
      why: 'Argo CD syncs that many Applications at a time: with none at all the rollout never proceeds, and what it cannot read it ignores',
      fix: "set a whole number of 1 or more, or a percentage from '1%' to '100%'",
    },
  ];
}

function step(operator: 'In' | 'NotIn', values: string[]): Step {
  return { matchExpressions: [{ key: STAGE_LABEL, operator, values }] };
}
