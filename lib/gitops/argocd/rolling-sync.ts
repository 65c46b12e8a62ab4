import type { ApplicationSet } from '../../../imports/crds/argoproj.io';
import type { Problem } from '../../kubernetes/findings/problem';
import { keysOf } from '../../kubernetes/known-keys';
import type { ApplicationFolder } from './application-folder';
import { ARGOCD_FINDINGS } from './findings';
import { folderValue, type PrefixOf } from './folder-template';
import { RING_LABEL, type RingClusters } from './ring';

/** The order in which the Applications of an ApplicationSet are synced. */
export type SyncStrategy =
  /** All Applications at once: they wait for each other by failing and trying again. */
  | { readonly type: 'AllAtOnce' }
  /**
   * One stage after the other: a stage is synced when all Applications of the stages before are Healthy and Synced.
   *
   * Beta in Argo CD since 3.3, and to be enabled in its ApplicationSet controller
   * (`applicationsetcontroller.enable.progressive.syncs`). The controller then starts every sync itself: automated sync,
   * self-healing included, is off. What keeps an Application from being Healthy and Synced keeps back all later stages.
   */
  | {
      readonly type: 'RollingSync';

      /**
       * Most Applications of one stage that are synced at a time: a whole number from 1, or a percentage of the stage's
       * Applications from `'1%'` to `'100%'`.
       *
       * @default - all of a stage
       */
      readonly maxUpdate?: number | `${number}%`;
    };

type RollingSync = Extract<SyncStrategy, { readonly type: 'RollingSync' }>;

/** The keys of SyncStrategy. */
export const SYNC_STRATEGY = keysOf<SyncStrategy>({ type: true, maxUpdate: true });

/** The label by which the steps of a rolling sync find their Applications. */
export const STAGE_LABEL = 'cdk8s-linkerd/stage';

type Strategy = NonNullable<ApplicationSet['spec']['strategy']>;
type Step = NonNullable<NonNullable<Strategy['rollingSync']>['steps']>[number];
type Expression = NonNullable<Step['matchExpressions']>[number];

/** The value of the stage label, as a Go template. */
export function stageLabel(folders: readonly ApplicationFolder[], prefixOf: PrefixOf): string {
  return `{{ ${folderValue(folders, ({ stage = 0 }) => String(stage), prefixOf)} }}`;
}

/**
 * The steps of a rolling sync: ring by ring, and stage by stage in each. An Application that matches no step is never
 * synced, and one that matches two makes both wait for it: so each step but the last takes one stage, or one of one
 * ring, and the last of all, or of a ring, what the others do not, folders and clusters that are not known here included.
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

/** The folders of each ring that has any, with what their Applications have in common. */
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
  // Without rings, all is one.
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

/** Reports what of a strategy would keep Applications from ever being synced. */
export function checkSyncStrategy(strategy: SyncStrategy | undefined): readonly Problem[] {
  if (strategy?.type !== 'RollingSync' || strategy.maxUpdate === undefined) return [];
  const { maxUpdate } = strategy;
  const count = typeof maxUpdate === 'number' ? maxUpdate : Number(/^(\d+)%$/.exec(maxUpdate)?.[1]);
  const most = typeof maxUpdate === 'number' ? Number.POSITIVE_INFINITY : 100;
  if (Number.isInteger(count) && count >= 1 && count <= most) return [];
  return [ARGOCD_FINDINGS.maxUpdateRefused({ maxUpdate: JSON.stringify(maxUpdate) })];
}

function expression(key: string, operator: 'In' | 'NotIn', values: readonly string[]): Expression {
  return { key, operator, values: [...values] };
}
