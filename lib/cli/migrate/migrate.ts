import { describeProblem } from '../../problems/problem';
import type { PinnedChart } from '../../releases/pinned-chart';
import type { Values } from '../../releases/values';
import { chartsOf, type LinkerdVersion } from '../../releases/versions';
import type { ChartName } from '../chart-names';
import { cniProgram } from './cni-program';
import { controlPlaneProgram } from './control-plane-program';
import type { Migration, MigrationRequest } from './migration';
import { fittingValues } from './misfit-values';
import { vizProgram } from './viz-program';
import { withoutSecrets } from './without-secrets';

/** Values that are to become a program, and the chart that they are of. */
export interface MigrateOptions {
  readonly chart: ChartName;
  readonly version: LinkerdVersion;
  /** Values over the chart's own, or all of them. */
  readonly values: Values;
  readonly namespace?: string;
}

interface Target {
  readonly chart: (version: LinkerdVersion) => PinnedChart;
  readonly programFor: (request: MigrationRequest) => Migration;
}

const TARGETS: Readonly<Record<ChartName, Target>> = {
  'linkerd-control-plane': { chart: (version) => chartsOf(version).controlPlane, programFor: controlPlaneProgram },
  'linkerd-viz': { chart: (version) => chartsOf(version).viz, programFor: vizProgram },
  'linkerd2-cni': { chart: (version) => chartsOf(version).cni, programFor: cniProgram },
};

/**
 * The TypeScript program that makes with constructs what somebody's Helm values make with a chart: values that have a
 * prop become the prop, what props decide anyway is left out, and so is what the chart says of itself.
 */
export function migrate({ chart, version, values, namespace }: MigrateOptions): Migration {
  const clean = withoutSecrets(values);
  const target = TARGETS[chart];
  const { values: fitting, leftOut, problems } = fittingValues(target.chart(version), clean.values);
  if (problems.length > 0) return { problems };
  const remarks = leftOut.map((problem) => `Left out: ${describeProblem(problem)}`);
  const migration = target.programFor({ version, values: fitting, namespace, remarks });
  if ('problems' in migration) return migration;
  return { ...migration, warnings: [...clean.warnings, ...leftOut, ...migration.warnings] };
}
