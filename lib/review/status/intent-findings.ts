import { catalogue } from '#base/findings/catalogue';

/** Findings about the output with which clusters are compared. */
export const INTENT_FINDINGS = catalogue({
  'ring-output-unread': {
    severity: 'warning',
    what: ({ ring, reason }: Readonly<Record<'ring' | 'reason', string>>) =>
      `The output that the ring ${ring} deploys cannot be read: ${reason}`,
    why: 'The cluster is compared with the output in --from, which may not have reached the ring yet',
    fix: 'run the command in a clone of the repository, after git fetch',
  },
  'cluster-unpromoted': {
    severity: 'warning',
    what: ({ ring, source }: Readonly<Record<'ring' | 'source', string>>) =>
      `The ring ${ring} deploys ${source}, which does not contain this cluster`,
    why: 'Argo CD deploys nothing to the cluster before the next promotion of the ring',
    fix: 'promote the ring, or add the cluster to another ring',
  },
});
