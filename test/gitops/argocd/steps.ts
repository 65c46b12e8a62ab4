import type { ApplicationSet } from '#imports/crds/argoproj.io';

type Strategy = NonNullable<ApplicationSet['spec']['strategy']>;
export type Steps = NonNullable<NonNullable<Strategy['rollingSync']>['steps']>;

/** The steps that take an Application, by the rules of argo-cd v3.5.1, progressivesync, buildAppDependencyList. */
export function stepsOf(labels: Readonly<Record<string, string>>, steps: Steps): readonly number[] {
  return [...steps.keys()].filter((index) =>
    (steps[index]?.matchExpressions ?? []).every(({ key = '', operator, values = [] }) => {
      const value = labels[key];
      if (value === undefined) return operator !== 'In';
      return values.includes(value) === (operator === 'In');
    }),
  );
}
