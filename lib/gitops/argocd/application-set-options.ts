import type { Problem } from '#base/findings/problem';
import { BOOLEAN, each, FREE } from '#kubernetes/options/known-keys';
import { IGNORE_DIFFERENCE, type IgnoreDifference } from '../tree/ignore-difference';
import { ARGOCD_FINDINGS } from './findings';
import { checkIgnoreDifferences } from './ignore-differences';
import { checkOwnMetadata } from './own-metadata';
import { checkRetry, RETRY_PROPS, type RetryProps } from './retry';
import { checkSyncStrategy, SYNC_STRATEGY, type SyncStrategy } from './rolling-sync';

/** The changes that the ApplicationSet controller may make to Applications. */
export type ApplicationsSync = 'create-only' | 'create-update' | 'create-delete' | 'sync';

/** How Applications are generated and synced. */
export interface ApplicationSetOptions {
  /**
   * Namespace that Argo CD runs in.
   *
   * @default 'argocd'
   */
  readonly namespace?: string;

  /**
   * The order in which the Applications of an ApplicationSet are synced.
   *
   * @default { type: 'AllAtOnce' }
   */
  readonly strategy?: SyncStrategy;

  /**
   * Labels of all objects of Argo CD: the AppProject, the ApplicationSets and the Applications.
   *
   * @default - only those that the library sets
   */
  readonly labels?: Readonly<Record<string, string>>;

  /**
   * Annotations of all objects of Argo CD, such as subscriptions of notifications:
   * `{ 'notifications.argoproj.io/subscribe.on-sync-failed.slack': 'mesh' }`.
   *
   * @default - only those that the library sets
   */
  readonly annotations?: Readonly<Record<string, string>>;

  /**
   * Argo CD's retries after a failed sync.
   *
   * @default - 10 times, after 5 s, 10 s, 20 s … 3 min
   */
  readonly retry?: RetryProps;

  /**
   * The changes that the ApplicationSet controller may make to Applications. With the default, the controller never
   * deletes an Application, because generator errors have deleted whole installations (argo-cd#18480, #18212, #22127).
   * The Application of a removed folder then stays, with an error, until you delete it. With the default, Applications
   * also outlive their ApplicationSet.
   *
   * @default 'create-update'
   */
  readonly applicationsSync?: ApplicationsSync;

  /**
   * Keep the mesh when an Application is deleted. With `false`, the controller gives every Application Argo CD's
   * resources-finalizer, which deletes everything that the Application deployed, including the control plane. The
   * library's templates contain no finalizer.
   *
   * @default true
   */
  readonly preserveResourcesOnDeletion?: boolean;

  /**
   * Additional fields, by kind, in which Argo CD ignores differences from Git: fields that a component in the cluster
   * rewrites, such as the namespaceSelectors of webhooks on AKS. They are added to the fields that the library derives
   * from the output.
   *
   * @default - none
   */
  readonly ignoreDifferences?: readonly IgnoreDifference[];
}

/** The keys of ApplicationSetOptions, for props that extend it. */
export const APPLICATION_SET_OPTIONS = {
  namespace: true,
  strategy: SYNC_STRATEGY,
  labels: FREE,
  annotations: FREE,
  retry: RETRY_PROPS,
  applicationsSync: true,
  preserveResourcesOnDeletion: BOOLEAN,
  ignoreDifferences: each(IGNORE_DIFFERENCE),
} as const;

/** Checks the options, without the output. */
export function checkApplicationSetOptions(options: ApplicationSetOptions): readonly Problem[] {
  return [
    ...checkSyncStrategy(options.strategy),
    ...checkRetry(options.retry),
    ...checkIgnoreDifferences(options.ignoreDifferences),
    ...checkUpdates(options),
    ...checkOwnMetadata(options),
  ];
}

function checkUpdates({ strategy, applicationsSync }: ApplicationSetOptions): readonly Problem[] {
  const updates = applicationsSync !== 'create-only' && applicationsSync !== 'create-delete';
  if (strategy?.type !== 'RollingSync' || updates) return [];
  return [ARGOCD_FINDINGS.rollingSyncRefusedPolicy({ applicationsSync })];
}
