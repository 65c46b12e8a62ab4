import type { GatewayApi } from '../../constructs/control-plane/linkerd-crds';
import { checkGitSource } from '../../gitops/argocd/git-source';
import { checkClusterNames } from '../../gitops/platform/cluster-names';
import type { Problem } from '../../kubernetes/findings/problem';
import { CLI_FINDINGS } from '../findings';
import type { CI_SYSTEMS } from './choices';

/** The answers by which a project is made. */
export interface Answers {
  /** URL of the Git repository, as Argo CD reads it. */
  readonly repoUrl: string;
  /** The output's folder in the repository; its last part is the folder in the project. */
  readonly path: string;
  /** Names of the clusters; Argo CD runs in the first. */
  readonly clusters: readonly string[];
  /** List the clusters in fleet.yaml. */
  readonly fleet: boolean;
  readonly gatewayApi: GatewayApi;
  /** Run three replicas of every component. */
  readonly highAvailability: boolean;
  readonly operator: boolean;
  readonly ci: (typeof CI_SYSTEMS)[number];
  /** The version, archive or Git URL of this library, for package.json. */
  readonly library: string;
}

/** Reports what no platform can be made of. */
export function checkAnswers({ repoUrl, path, clusters }: Pick<Answers, 'repoUrl' | 'path' | 'clusters'>): Problem[] {
  const definitions = clusters.map((name) => ({ name, props: {}, build: () => {} }));
  return [
    ...checkGitSource({ repoUrl, path }),
    ...(path === '' || outdirOf(path) === 'node_modules'
      ? [CLI_FINDINGS.outputFolderTaken({ folder: path, reason: 'contains files of the project' })]
      : []),
    ...checkClusterNames(definitions).map(({ problem }) => problem),
  ];
}

/** The output's folder in the project. */
export function outdirOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
