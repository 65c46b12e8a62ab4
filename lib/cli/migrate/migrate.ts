import { describeProblem, type Problem } from '#base/findings/problem';
import { holdsPrivateKey } from '#base/secrets/secret-forms';
import { type FoundSecret, secretsIn } from '#base/secrets/secret-walk';
import { dottedPath } from '#base/value-path';
import { isMap, mergeValues, type Value, type Values } from '#base/values';
import type { PinnedChart } from '../../charts/pinned-chart';
import { checkValues, misfitPaths } from '../../kubernetes/schemas/schema';
import type { Release } from '../../linkerd/releases/release';
import type { ChartName } from '../chart-names';
import { CLI_FINDINGS } from '../findings';
import { chartNamed } from '../native-charts';
import { Call, type Code, Name } from './code';
import { controlPlaneProgram } from './control-plane-program';
import type { Migration, MigrationRequest } from './migration';
import { printProgram } from './program';
import { changedValues, RemainingValues, takePodSecurityPolicy } from './remaining-values';
import { vizProgram } from './viz-program';

interface MigrateOptions {
  readonly chart: ChartName;
  readonly release: Release;
  readonly values: Values;
  readonly namespace?: string;
  readonly existingCertManager?: boolean;
  readonly newAnchor?: boolean;
}

const PROGRAMS: Readonly<Record<ChartName, (request: MigrationRequest) => Migration>> = {
  'linkerd-control-plane': controlPlaneProgram,
  'linkerd-viz': vizProgram,
  'linkerd2-cni': cniProgram,
};

/**
 * Returns the TypeScript program whose constructs are equivalent to a user's Helm values: values with a prop become the
 * prop, and values that equal those of props, or the chart's defaults, are left out.
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

interface FittingValues {
  readonly values: Values;
  readonly leftOut: readonly Problem[];
  readonly problems: readonly Problem[];
}

/** A list is left out as a whole. */
function fittingValues(chart: PinnedChart, values: Values): FittingValues {
  const remaining = new RemainingValues(values);
  const problems = checkValues(chart, values);
  for (const path of misfitPaths(chart, values)) remaining.takeMost(path);
  const rest = remaining.values ?? {};
  const left = checkValues(chart, rest);
  // A value can hide a problem of another one.
  if (left.length === 0 || problems.length === 0) return { values: rest, leftOut: problems, problems: left };
  if (JSON.stringify(rest) === JSON.stringify(values)) return { values, leftOut: [], problems };
  const further = fittingValues(chart, rest);
  return { ...further, leftOut: [...problems, ...further.leftOut] };
}

interface CleanValues {
  readonly values: Values;
  readonly warnings: readonly Problem[];
}

/** Private keys and credentials must not be in a program in Git. */
function withoutSecrets(values: Values): CleanValues {
  const found = secretsIn(values);
  const secrets = new Set(found.map(({ path }) => dottedPath(path)));
  return { values: cleanMap(values, [], secrets), warnings: found.map(leftOut) };
}

function cleanMap(values: Values, path: readonly string[], secrets: ReadonlySet<string>): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const kept = value === undefined || holdsPrivateKey(key) ? undefined : clean(value, [...path, key], secrets);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
}

function clean(value: Value, path: readonly string[], secrets: ReadonlySet<string>): Value | undefined {
  if (isMap(value)) return cleanMap(value, path, secrets);
  if (Array.isArray(value)) return value.flatMap((item, index) => clean(item, [...path, String(index)], secrets) ?? []);
  return typeof value === 'string' && secrets.has(dottedPath(path)) ? undefined : value;
}

function leftOut({ path, is }: FoundSecret): Problem {
  const secret = is === 'private key' ? 'a private key' : 'a password or a token';
  return CLI_FINDINGS.notMigratedSecret({ path: dottedPath(['values', ...path]), secret });
}

function cniProgram({ chart, release, values, namespace, remarks }: MigrationRequest): Migration {
  const { defaults } = chart;
  const remaining = new RemainingValues(changedValues(defaults, mergeValues(defaults, values)));
  const warnings = takePodSecurityPolicy(remaining);
  const props = {
    version: release.version,
    namespace: namespace === chart.namespace ? undefined : namespace,
    values: remaining.values as Code | undefined,
  };
  const external = chart.requires(values, namespace ?? chart.namespace);
  const result = new Call('new LinkerdCni', new Name('scope'), 'cni', props);
  return { program: printProgram({ name: 'linkerdCni', statements: [], remarks, external, result }), warnings };
}
