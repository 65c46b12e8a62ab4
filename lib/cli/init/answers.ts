import type { Problem } from '#base/findings/problem';
import type { GatewayApi } from '../../constructs/control-plane/linkerd-crds';
import { checkGitSource } from '../../gitops/argocd/git-source';
import { checkClusterNames } from '../../gitops/platform/cluster-names';
import { CLI_FINDINGS } from '../findings';
import type { CI_SYSTEMS } from './choices';

/** The answers from which a project is created. */
export interface Answers {
  /** URL of the Git repository, as Argo CD reads it. */
  readonly repoUrl: string;
  /** The output's folder in the repository; its last part is the folder in the project. */
  readonly path: string;
  /** Names of the clusters. Argo CD runs in the first one. */
  readonly clusters: readonly string[];
  /** List the clusters in fleet.yaml. */
  readonly fleet: boolean;
  readonly gatewayApi: GatewayApi;
  /** Run three replicas of each control plane component. */
  readonly highAvailability: boolean;
  readonly operator: boolean;
  readonly ci: (typeof CI_SYSTEMS)[number];
  /** The version or archive of this library, for package.json. */
  readonly library: string;
}

/** Reports answers from which no platform can be created. */
export function checkAnswers({ repoUrl, path, clusters }: Pick<Answers, 'repoUrl' | 'path' | 'clusters'>): Problem[] {
  const definitions = clusters.map((name) => ({ name, props: {}, build: () => {} }));
  return [
    ...checkGitSource({ repoUrl, path }),
    ...(path === '' || outdirOf(path) === 'node_modules'
      ? [CLI_FINDINGS.outdirRefusedOfProject({ folder: path })]
      : []),
    ...checkClusterNames(definitions).map(({ problem }) => problem),
  ];
}

/** Returns the output's folder in the project. */
export function outdirOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
