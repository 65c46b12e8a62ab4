import type { Problem } from '../../kubernetes/findings/problem';
import { IGNORE_DIFFERENCE, type IgnoreDifference } from '../../kubernetes/ignore-difference';
import { each } from '../../kubernetes/known-keys';
import { ARGOCD_FINDINGS } from './findings';
import { checkIgnoreDifferences } from './ignore-differences';
import { checkRetry, RETRY_PROPS, type RetryProps } from './retry';
import { checkSyncStrategy, SYNC_STRATEGY, type SyncStrategy } from './rolling-sync';

/** The changes of Applications that the ApplicationSet controller may make. */
export type ApplicationsSync = 'create-only' | 'create-update' | 'create-delete' | 'sync';

/** Options of how Applications are generated and synced. */
export interface ApplicationSetOptions {
  /**
   * Namespace that Argo CD runs in.
   *
   * @default 'argocd'
   */
  readonly namespace?: string;

  /**
   * In which order the Applications of an ApplicationSet are synced.
   *
   * @default { type: 'AllAtOnce' }
   */
  readonly strategy?: SyncStrategy;

  /**
   * The retries of Argo CD after a failed sync.
   *
   * @default - 10 times, after 5 s, 10 s, 20 s … 3 min
   */
  readonly retry?: RetryProps;

  /**
   * The changes of Applications that the ApplicationSet controller may make. With the default it never deletes one:
   * generator errors have taken whole installations down (argo-cd#18480, #18212, #22127). The Application of a folder
   * that is gone then stays, with an error, until somebody deletes it. Also with the default, Applications outlive
   * their ApplicationSet.
   *
   * @default 'create-update'
   */
  readonly applicationsSync?: ApplicationsSync;

  /**
   * Tells whether the mesh stays when an Application is deleted. Where it is not to stay the controller gives every
   * Application Argo CD's resources-finalizer, which deletes all that the Application deployed, the control plane
   * included; so templates never have a finalizer of their own.
   *
   * @default true
   */
  readonly preserveResourcesOnDeletion?: boolean;

  /**
   * Further fields, by kind, of which Argo CD is not to say that they differ from Git: fields that something in the
   * cluster rewrites, such as the namespaceSelectors of webhooks on AKS. They add to what follows from the output.
   *
   * @default - none
   */
  readonly ignoreDifferences?: readonly IgnoreDifference[];
}

/** The keys of ApplicationSetOptions, for those of the props that extend it. */
export const APPLICATION_SET_OPTIONS = {
  namespace: true,
  strategy: SYNC_STRATEGY,
  retry: RETRY_PROPS,
  applicationsSync: true,
  preserveResourcesOnDeletion: true,
  ignoreDifferences: each(IGNORE_DIFFERENCE),
} as const;

/** Checks the options by themselves. */
export function checkApplicationSetOptions(options: ApplicationSetOptions): readonly Problem[] {
  return [
    ...checkSyncStrategy(options.strategy),
    ...checkRetry(options.retry),
    ...checkIgnoreDifferences(options.ignoreDifferences),
    ...checkUpdates(options),
  ];
}

function checkUpdates({ strategy, applicationsSync }: ApplicationSetOptions): readonly Problem[] {
  const updates = applicationsSync !== 'create-only' && applicationsSync !== 'create-delete';
  if (strategy?.type !== 'RollingSync' || updates) return [];
  return [ARGOCD_FINDINGS.rollingSyncWithoutUpdates({ applicationsSync })];
}
