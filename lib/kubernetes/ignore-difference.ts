import type { Application } from '../../imports/crds/argoproj.io';

/** Fields of which Argo CD does not say that they differ from Git. */
export type IgnoreDifference = NonNullable<Application['spec']['ignoreDifferences']>[number];
