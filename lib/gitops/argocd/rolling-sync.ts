import type { Problem } from '#base/findings/problem';
import type { ApplicationSet } from '#imports/crds/argoproj.io';
import { keysOf } from '#kubernetes/options/known-keys';
import type { ApplicationFolder } from './application-folder';
import { ARGOCD_FINDINGS } from './findings';
import { folderValue, type PrefixOf } from './folder-template';
import { RING_LABEL, type RingClusters } from './ring';

/** The order in which the Applications of an ApplicationSet are synced. */
export type SyncStrategy =
  /** All Applications at once: they wait for each other by failing and retrying. */
  | { readonly type: 'AllAtOnce' }
  /**
   * One stage after the other: a stage is synced when all Applications of earlier stages are Healthy and Synced.
   *
   * Beta in Argo CD since 3.3. Enable it in the ApplicationSet controller
   * (`applicationsetcontroller.enable.progressive.syncs`). The controller then starts every sync itself: automated
   * sync, including self-healing, is off. An Application that is not Healthy and Synced holds back all later stages.
   */
  | {
      readonly type: 'RollingSync';

      /**
       * Maximum number of Applications of one stage that are synced at a time: a whole number from 1, or a percentage
       * of the stage's Applications from `'1%'` to `'100%'`.
       *
       * @default - all of a stage
       */
      readonly maxUpdate?: number | `${number}%`;
    };

type RollingSync = Extract<SyncStrategy, { readonly type: 'RollingSync' }>;

/** The keys of SyncStrategy. */
export const SYNC_STRATEGY = keysOf<SyncStrategy>({ type: true, maxUpdate: true });

/** The label that assigns Applications to the steps of a rolling sync. */
export const STAGE_LABEL = 'cdk8s-linkerd/stage';

type Strategy = NonNullable<ApplicationSet['spec']['strategy']>;
type Step = NonNullable<NonNullable<Strategy['rollingSync']>['steps']>[number];
type Expression = NonNullable<Step['matchExpressions']>[number];

/** Returns the value of the stage label, as a Go template. */
export function stageLabel(folders: readonly ApplicationFolder[], prefixOf: PrefixOf): string {
  return `{{ ${folderValue(folders, ({ stage = 0 }) => String(stage), prefixOf)} }}`;
}

/**
 * Returns the steps of a rolling sync: ring by ring, and stage by stage within each. An Application that matches no
 * step is never synced, and one that matches two steps delays both. Therefore each step matches one stage, or one stage
 * of a ring. The last step, or the last of a ring, matches all other Applications, including unknown folders and
 * clusters.
 */
export function rollingSync(
  folders: readonly ApplicationFolder[],
  { maxUpdate }: RollingSync,
  rings: readonly RingClusters[] = [],
): Strategy {
  const steps = ringSteps(folders, rings).flatMap(({ condition, folders: ofRing }) =>
    stageSteps(ofRing).map((stage) => [...condition, ...stage]),
  );
  return {
    type: 'RollingSync',
    rollingSync: {
      steps: steps.map((expressions) => ({
        ...(expressions.length > 0 ? { matchExpressions: [...expressions] } : {}),
        ...(maxUpdate === undefined ? {} : { maxUpdate }),
      })),
    },
  };
}

function ringSteps(
  folders: readonly ApplicationFolder[],
  rings: readonly RingClusters[],
): readonly { readonly condition: readonly Expression[]; readonly folders: readonly ApplicationFolder[] }[] {
  const ringOf = new Map(rings.flatMap(({ name, clusters }) => clusters.map((cluster) => [cluster, name] as const)));
  const last = rings.at(-1)?.name;
  const byRing = new Map<string | undefined, ApplicationFolder[]>(rings.map(({ name }) => [name, []]));
  for (const folder of folders) byRing.get(ringOf.get(folder.cluster) ?? last)?.push(folder);
  const named = [...byRing].filter(([, ofRing]) => ofRing.length > 0);
  const earlier = named.slice(0, -1).map(([name]) => String(name));
  const conditions = [
    ...earlier.map((name) => [expression(RING_LABEL, 'In', [name])]),
    earlier.length > 0 ? [expression(RING_LABEL, 'NotIn', earlier)] : [],
  ];
  if (named.length === 0) return [{ condition: [], folders }];
  return named.map(([, ofRing], index) => ({ condition: conditions[index] ?? [], folders: ofRing }));
}

function stageSteps(folders: readonly ApplicationFolder[]): readonly (readonly Expression[])[] {
  const stages = [...new Set(folders.map(({ stage = 0 }) => stage))].sort((a, b) => a - b).map(String);
  const earlier = stages.slice(0, -1);
  return [
    ...earlier.map((stage) => [expression(STAGE_LABEL, 'In', [stage])]),
    earlier.length > 0 ? [expression(STAGE_LABEL, 'NotIn', earlier)] : [],
  ];
}

/** Reports strategies with which some Applications would never be synced. */
export function checkSyncStrategy(strategy: SyncStrategy | undefined): readonly Problem[] {
  if (strategy?.type !== 'RollingSync' || strategy.maxUpdate === undefined) return [];
  const { maxUpdate } = strategy;
  const count = typeof maxUpdate === 'number' ? maxUpdate : Number(/^(\d+)%$/.exec(maxUpdate)?.[1]);
  const most = typeof maxUpdate === 'number' ? Number.POSITIVE_INFINITY : 100;
  if (Number.isInteger(count) && count >= 1 && count <= most) return [];
  return [ARGOCD_FINDINGS.rollingSyncRefusedMaxUpdate({ maxUpdate: JSON.stringify(maxUpdate) })];
}

function expression(key: string, operator: 'In' | 'NotIn', values: readonly string[]): Expression {
  return { key, operator, values: [...values] };
}
