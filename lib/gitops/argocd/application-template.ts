import type { ApplicationSet } from '../../../imports/crds/argoproj.io';
import { APPLICATION_SYNC_OPTIONS, COMPARE_OPTIONS } from '../../kubernetes/sync-options';
import type { ApplicationFolder } from './application-folder';
import type { ApplicationSetOptions } from './application-set-options';
import { retryPolicy } from './retry';
import { RING_LABEL } from './ring';
import type { ClusterSource } from './ring-sources';
import { STAGE_LABEL, stageLabel } from './rolling-sync';
import { placement, type Target } from './target';

/** Props of an ApplicationSet that its template follows from. */
export interface ApplicationTemplateProps extends ApplicationSetOptions {
  readonly project: string;
  readonly target: Target;
  readonly folders?: readonly ApplicationFolder[];
}

/**
 * Returns what all generated Applications have in common. Its strings are Go templates over the parameters of the git
 * directory generator; the project is none, so that no folder can choose its own permissions.
 */
export function applicationTemplate(
  props: ApplicationTemplateProps,
  { repoUrl, revision, ring, prefixOf }: ClusterSource,
): ApplicationSet['spec']['template'] {
  const { name, destination } = placement(props.target);
  const rolling = props.strategy?.type === 'RollingSync';
  const labels = {
    ...(ring === undefined ? {} : { [RING_LABEL]: ring }),
    ...(rolling ? { [STAGE_LABEL]: stageLabel(props.folders ?? [], prefixOf) } : {}),
  };
  const ignored = props.ignoreDifferences ?? [];
  return {
    metadata: {
      name,
      // Compares with what the API server makes of a manifest, so that its defaults are no differences.
      annotations: { [COMPARE_OPTIONS]: 'ServerSideDiff=true' },
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
    },
    spec: {
      project: props.project,
      source: { repoURL: repoUrl, targetRevision: revision, path: '{{.path.path}}' },
      destination,
      syncPolicy: {
        automated: { prune: true, selfHeal: true, allowEmpty: false },
        retry: retryPolicy(props.retry),
        syncOptions: [...APPLICATION_SYNC_OPTIONS],
      },
      ...(ignored.length > 0 ? { ignoreDifferences: [...ignored] } : {}),
    },
  };
}
