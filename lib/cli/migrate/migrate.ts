import { describeProblem } from '../../kubernetes/findings/problem';
import type { Values } from '../../kubernetes/values';
import type { Release } from '../../linkerd/releases/release';
import type { ChartName } from '../chart-names';
import { chartNamed } from '../native-charts';
import { cniProgram } from './cni-program';
import { controlPlaneProgram } from './control-plane-program';
import type { Migration, MigrationRequest } from './migration';
import { fittingValues } from './misfit-values';
import { vizProgram } from './viz-program';
import { withoutSecrets } from './without-secrets';

/** Values that are to become a program, and the chart that they are of. */
export interface MigrateOptions {
  readonly chart: ChartName;
  readonly release: Release;
  /** Values over the chart's own, or all of them. */
  readonly values: Values;
  readonly namespace?: string;
  /** As of {@link MigrationRequest}. @default false */
  readonly existingCertManager?: boolean;
  /** As of {@link MigrationRequest}. @default false */
  readonly newAnchor?: boolean;
}

const PROGRAMS: Readonly<Record<ChartName, (request: MigrationRequest) => Migration>> = {
  'linkerd-control-plane': controlPlaneProgram,
  'linkerd-viz': vizProgram,
  'linkerd2-cni': cniProgram,
};

/**
 * The TypeScript program that makes with constructs what somebody's Helm values make with a chart: values that have a
 * prop become the prop, what props decide anyway is left out, and so is what the chart says of itself.
 */
export function migrate({ chart: name, release, values, ...options }: MigrateOptions): Migration {
  const clean = withoutSecrets(values);
  const chart = chartNamed(name, release);
  const { values: fitting, leftOut, problems } = fittingValues(chart.pinned, clean.values);
  if (problems.length > 0) return { problems };
  const remarks = leftOut.map((problem) => `Left out: ${describeProblem(problem)}`);
  const migration = PROGRAMS[name]({ chart, release, values: fitting, remarks, ...options });
  if ('problems' in migration) return migration;
  return { ...migration, warnings: [...clean.warnings, ...leftOut, ...migration.warnings] };
}
