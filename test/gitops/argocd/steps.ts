import type { ApplicationSet } from '#imports/crds/argoproj.io';

type Strategy = NonNullable<ApplicationSet['spec']['strategy']>;
export type Steps = NonNullable<NonNullable<Strategy['rollingSync']>['steps']>;

/** Returns the steps that select an Application, as buildAppDependencyList of argo-cd v3.5.1 does. */
export function stepsOf(labels: Readonly<Record<string, string>>, steps: Steps): readonly number[] {
  return [...steps.keys()].filter((index) =>
    (steps[index]?.matchExpressions ?? []).every(({ key = '', operator, values = [] }) => {
      const value = labels[key];
      if (value === undefined) return operator !== 'In';
      return values.includes(value) === (operator === 'In');
    }),
  );
}
