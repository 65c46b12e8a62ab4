import { catalogue } from '#base/findings/catalogue';
import { didYouMean } from '#base/suggest';

/** Findings about a platform as a whole: its arguments, rings and clusters, and a synthesis that cannot continue. */
export const PLATFORM_FINDINGS = catalogue({
  'argument-refused': {
    severity: 'error',
    what: ({ name, value, expected }: Record<'name' | 'value' | 'expected', string>) =>
      `${name} is ${value}, not ${expected}`,
    why: 'Synth cannot use such a value',
    fix: ({ example }: { example: string }) => `write ${example}`,
  },
  'argument-refused/shard': {
    severity: 'error',
    what: ({ shard }: { shard: string }) => `The shard is ${shard}, which does not exist`,
    why: 'Shards have numbers from 1 to their count: with another number, clusters would silently be left out',
    fix: 'number the shards from 1: 1/8, 2/8, … 8/8',
  },
  'argument-refused/draft': {
    severity: 'error',
    what: ({ value }: { value: string }) => `draft is ${value}, which is the folder of the output or not a path`,
    why: 'A draft is not compared with the mesh in the output, so it must not replace the output',
    fix: "name a folder that is not committed: draft: '/tmp/draft'",
  },
  'argument-refused/selection': {
    severity: 'error',
    what: 'argocd is set together with only or shard',
    why: 'The Argo CD objects depend on all clusters',
    fix: 'set argocd without only and shard',
  },
  'platform-not-run': {
    severity: 'error',
    what: 'The program ends, but its Platform was neither run nor synthesized',
    why: 'Nothing was checked, compared or written',
    fix: 'end the program with platform.run()',
  },
  'cluster-name-taken': {
    severity: 'error',
    what: ({ name, owner }: { name: string; owner: string }) => `The cluster name "${name}" is taken by ${owner}`,
    why: 'Each folder of the output has the name of its cluster: one would overwrite the files of the other',
    fix: 'give each cluster a name of its own, other than argocd',
  },
  'output-elsewhere': {
    severity: 'warning',
    what: ({ path, actual }: { path: string; actual: string }) =>
      `path of the Platform is "${path}", but the output is written to "${actual}" of its Git repository`,
    why: 'Argo CD reads path from the root of the repository: it finds no folder of a cluster there, and deploys nothing',
    fix: ({ actual }: { path: string; actual: string }) => `set path: '${actual}' in the props of the Platform`,
  },
  'clusters-missing': {
    severity: 'error',
    what: 'The platform has no clusters',
    why: 'Synth would delete the output of all earlier clusters',
    fix: 'add one: platform.addCluster(name, props, build)',
  },
  'cluster-unknown': {
    severity: 'error',
    what: ({ pattern }: { pattern: string }) => `No cluster matches "${pattern}"`,
    why: ({ clusters }: { clusters: string }) => `The clusters of the platform are: ${clusters}`,
    fix: ({ similar }: { similar?: string | undefined }) => `correct the name${didYouMean(similar)}`,
  },
  'ring-missing': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) => `The cluster ${cluster} is in no ring`,
    why: 'Rings decide the order in which clusters receive a change, and the ring of this cluster is unknown',
    fix: ({ rings }: { rings: string }) => `set ring of the cluster to one of ${rings}`,
  },
  'ring-unknown': {
    severity: 'error',
    what: ({ ring }: { ring: string }) => `The platform has no ring ${ring}`,
    why: ({ rings }: { rings: string }) =>
      rings === '' ? 'The platform has no rings' : `The rings of the platform are: ${rings}`,
    fix: ({ similar }: { similar?: string | undefined }) =>
      `correct the name${didYouMean(similar)}, or add the ring: new Platform({ …, rings: ['canary', 'rest'] })`,
  },
  'rings-not-staged': {
    severity: 'warning',
    what: ({ rings }: { rings: string }) => `The rings ${rings} have the same revision, folder and release`,
    why: 'A commit reaches the clusters of all rings at the same time, as if there were no rings',
    fix: "give later rings a revision or a path of their own, or have Argo CD sync a fleet ring by ring: argocd: { fleet: {}, strategy: { type: 'RollingSync' } }",
  },
  'promotion-refused/path': {
    severity: 'error',
    what: ({ ring }: { ring: string }) => `The ring ${ring} has no folder of its own to promote to`,
    why: 'Argo CD reads the clusters of this ring from the output itself',
    fix: ({ ring }: { ring: string }) =>
      `set its path: { name: '${ring}', path: 'promoted/${ring}' }; to promote a ring with a revision, move the revision`,
  },
  'promoted-without-charts': {
    severity: 'warning',
    what: ({ folder, charts }: { folder: string; charts: string }) =>
      `${folder} lacks ${charts}, which the folder of the cluster in the output contains`,
    why: 'Synth did not write these files, so a promotion does not copy them: Argo CD downloads the charts from their repositories instead, and cannot sync the folder without internet access',
    fix: 'copy these files to the folder in the same commit, or get the charts from a mirror',
  },
  'output-locked/modified': {
    severity: 'error',
    what: ({ outdir, error }: { outdir: string; error: string }) =>
      `Another process changed ${outdir} while it was written: ${error}`,
    why: 'A part of the output may be new and another part old; the next synth repairs it',
    fix: 'synthesize again while nothing else changes the folder (`cdk8s synth` deletes it first)',
  },
});
