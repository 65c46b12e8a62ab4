import { execFileSync } from 'node:child_process';
import type { Application, ApplicationSet } from '#imports/crds/argoproj.io';
import { goTool } from '../../support/go-tools';

const APPLICATIONSET = goTool('applicationset');

/** Input of the generators of an ApplicationSet. */
export interface Surroundings {
  /** Paths of all folders in Git. */
  readonly folders?: readonly string[];
  /** Paths by revision, in place of `folders`. Other revisions do not exist. */
  readonly revisions?: Readonly<Record<string, readonly string[]>>;
  /** Clusters registered in Argo CD. */
  readonly clusters?: readonly { readonly name: string; readonly labels?: Readonly<Record<string, string>> }[];
}

/** A generated Application, and its templatePatch. */
export interface Generated {
  readonly template: {
    readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
    readonly spec: Application['spec'];
  };
  readonly patch?: unknown;
}

type Answer = { readonly applications?: readonly Generated[] } | { readonly error: string };

/** Generates the Applications of many ApplicationSets by Go's templates in one process. */
export function generateAll(
  questions: readonly (readonly [set: ApplicationSet, surroundings: Surroundings])[],
): readonly (readonly Generated[])[] {
  const lines = questions.map(([{ spec }, { folders, revisions, clusters = [] }]) =>
    JSON.stringify({
      spec,
      folders,
      revisions,
      clusters: clusters.map(({ name, labels = {} }) => ({ name, server: `https://${name}`, metadata: { labels } })),
    }),
  );
  const output = execFileSync(APPLICATIONSET, { input: lines.join('\n'), encoding: 'utf8', maxBuffer: 2 ** 28 });
  return output
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const answer = JSON.parse(line) as Answer;
      if ('error' in answer) throw new Error(answer.error);
      return answer.applications ?? [];
    });
}

/** Generates the Applications of one ApplicationSet by Go's templates. */
export function generate(set: ApplicationSet, surroundings: Surroundings): readonly Generated[] {
  return generateAll([[set, surroundings]]).flat();
}
