import { describeProblem, type Problem } from '#base/findings/problem';
import { holdsPrivateKey } from '#base/secrets/secret-spans';
import { type FoundSecret, secretsIn } from '#base/secrets/secret-walk';
import { dottedPath } from '#base/value-path';
import { isMap, memberOf, type Value, type Values } from '#base/values';
import { checkValues, misfitPaths } from '#kubernetes/schemas/schema';
import type { Chart } from '#linkerd/charts/chart';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';
import type { Release } from '#linkerd/releases/release';
import { chartNamed, nativeChartOf } from '#linkerd/renderers/native-charts';
import { CLI_FINDINGS } from '../findings';
import type { MigratedChart } from '../repository/sources/source';
import { controlPlaneProgram } from './control-plane-program';
import { cniProgram, crdsProgram, jaegerProgram, multiclusterProgram } from './extension-programs';
import type { MigratedPart, Migration, MigrationOptions, MigrationRequest, PartMigration } from './migration';
import { leftOutRemark, printParts } from './program';
import { RemainingValues } from './remaining-values';
import { vizProgram } from './viz-program';

type MigrateOptions = MigrationOptions & Pick<ChartToMigrate, 'chart' | 'values' | 'namespace'>;

/** The values of one of the charts that a program installs. */
export interface ChartToMigrate {
  readonly chart: MigratedChart;
  readonly values: Values;
  readonly namespace?: string | undefined;
  /** The chart's version, or a range, if that is known. */
  readonly version?: string | undefined;
  /** The file and the path in it; absent for values of options and of a values file. */
  readonly place?: string | undefined;
  /** Notes about omitted values. */
  readonly notes?: readonly Problem[];
}

/** The functions, in the order of the parts in a program. */
const PROGRAMS: Readonly<Record<MigratedChart, (request: MigrationRequest) => PartMigration>> = {
  'linkerd2-cni': cniProgram,
  'linkerd-crds': crdsProgram,
  'linkerd-control-plane': controlPlaneProgram,
  'linkerd-viz': vizProgram,
  'linkerd-multicluster': multiclusterProgram,
  'linkerd-jaeger': jaegerProgram,
};

/**
 * Returns a TypeScript program with constructs that are equivalent to a user's Helm values. Values with a prop become
 * the prop. Values that props set, and the chart's defaults, are left out.
 */
export function migrate({ chart, values, namespace, ...options }: MigrateOptions): Migration {
  return migrateAll([{ chart, values, namespace }], options);
}

/** Returns one program for the values of several charts. */
export function migrateAll(
  charts: readonly ChartToMigrate[],
  options: MigrationOptions,
  arrange: (parts: readonly MigratedPart[]) => readonly MigratedPart[] = (parts) => parts,
): Migration {
  const names = Object.keys(PROGRAMS) as MigratedChart[];
  const all = names.flatMap((name) => charts.filter(({ chart }) => chart === name)).map((one) => prepare(one, options));
  const isWhole = all.some(({ name }) => name === 'linkerd-control-plane');
  const crds = isWhole ? all.find(({ name }) => name === 'linkerd-crds') : undefined;
  const parts = all
    .filter((one) => one !== crds)
    .map(({ name, request, place, problems }): Made => {
      if (problems.length > 0) return { name, place, part: { problems } };
      const isControlPlane = name === 'linkerd-control-plane';
      const further = isControlPlane && {
        crds: crds?.request.values,
        remarks: [...(crds?.request.remarks ?? []), ...(request?.remarks ?? [])],
        hasPlugin: all.some((other) => other.name === 'linkerd2-cni'),
      };
      return { name, place, part: PROGRAMS[name]({ ...request, ...further }) };
    });
  const made = parts.flatMap(({ place, part }) => ('problems' in part ? [] : placed(place, part)));
  const refused = [...refusedIn(parts), ...refusedIn(crds === undefined ? [] : [{ ...crds, part: crds }])];
  const warnings = [...all.flatMap((one) => one.warnings), ...made.flatMap((part) => part.warnings)];
  // For a repository, the program leaves out an extension with refused values.
  const isLeftOut = ({ name }: Refused) => options.surroundings !== undefined && EXTENSIONS.includes(name);
  const left = made.length === 0 ? [] : refused.filter(isLeftOut);
  if (refused.length > left.length) return { problems: refused.map(({ problem }) => problem), notes: warnings };
  const remarks = left.map(({ name, problem }) => `${name} is left out: ${describeProblem(problem)}`);
  const whole = arrange(withRemarks(made, remarks));
  return {
    program: printParts(whole, options.release.version),
    warnings: [...warnings, ...left.map(({ problem }) => problem)],
    parts: whole,
    without: [...new Set(left.map(({ name }) => name))],
  };
}

interface Made {
  readonly name: MigratedChart;
  readonly place: string | undefined;
  readonly part: PartMigration | { readonly problems: readonly Problem[] };
}

interface Refused {
  readonly name: MigratedChart;
  readonly problem: Problem;
}

const EXTENSIONS: readonly MigratedChart[] = ['linkerd-viz', 'linkerd-multicluster', 'linkerd-jaeger'];

function refusedIn(parts: readonly Made[]): readonly Refused[] {
  return parts.flatMap(({ name, place, part }) =>
    'problems' in part ? part.problems.map((problem) => ({ name, problem: placedAt(place, problem) })) : [],
  );
}

function placed(place: string | undefined, part: MigratedPart): MigratedPart {
  return { ...part, warnings: part.warnings.map((warning) => placedAt(place, warning)) };
}

/** Adds the file, and the path in it, to a problem that does not name them. */
function placedAt(place: string | undefined, problem: Problem): Problem {
  return place === undefined || problem.place !== undefined || problem.what.includes(place)
    ? problem
    : { ...problem, place };
}

function withRemarks([first, ...others]: readonly MigratedPart[], remarks: readonly string[]): readonly MigratedPart[] {
  return first === undefined ? [] : [{ ...first, remarks: [...remarks, ...first.remarks] }, ...others];
}

interface Prepared {
  readonly name: MigratedChart;
  readonly place: string | undefined;
  readonly request: MigrationRequest;
  readonly warnings: readonly Problem[];
  readonly problems: readonly Problem[];
}

/** Leaves out secrets and values that the chart does not have. */
function prepare(one: ChartToMigrate, options: MigrationOptions): Prepared {
  const { chart: name, values, namespace } = one;
  const { release } = options;
  const clean = withoutSecrets(values);
  const chart = chartOf(name, release);
  const {
    values: fitting,
    leftOut: misfits,
    problems,
  } = fittingValues(chart.pinned, withNumbers(clean.values, chart.defaults));
  const leftOut = misfits.map((problem) => placedAt(one.place, problem));
  const { notes = [] } = one;
  const remarks = [...notes, ...leftOut].map(leftOutRemark);
  return {
    name,
    place: one.place,
    request: { ...options, chart, namespace, values: fitting, remarks },
    warnings: [
      ...otherRelease(one, chart, release),
      ...otherNamespace(one, chart),
      ...clean.warnings,
      ...notes,
      ...leftOut,
    ],
    problems,
  };
}

/** Reports a chart with a version range, or with the version of another release. */
function otherRelease(
  { chart, version, place }: ChartToMigrate,
  { pinned }: Chart,
  release: Release,
): readonly Problem[] {
  if (version === undefined || place === undefined || version.replace(/^v/, '') === pinned.version) return [];
  return [CLI_FINDINGS.notMigratedChartVersion({ place, chart, version, release: release.version })];
}

const IN_ANY_NAMESPACE: readonly MigratedChart[] = ['linkerd-control-plane', 'linkerd2-cni', 'linkerd-crds'];

/** Reports another namespace of an extension: its construct uses the namespace of Linkerd's guides. */
function otherNamespace({ chart, namespace, place }: ChartToMigrate, { namespace: usual }: Chart): readonly Problem[] {
  if (place === undefined || namespace === undefined || namespace === usual || IN_ANY_NAMESPACE.includes(chart))
    return [];
  return [CLI_FINDINGS.notMigratedSetting({ place: `the namespace ${namespace} of ${place}` })];
}

/** Returns the chart of another release if the release lacks the chart. */
function chartOf(name: MigratedChart, release: Release): Chart {
  if (name === 'linkerd-crds') {
    const { crdsChart } =
      require('#linkerd/renderers/linkerd-crds/chart') as typeof import('#linkerd/renderers/linkerd-crds/chart');
    return crdsChart(release);
  }
  return chartNamed(name, release) ?? nativeChartOf(name, name === 'linkerd-jaeger' ? 'stable-2.14.10' : undefined);
}

/** Turns strings into numbers where the chart has numbers: parameters of Argo CD are strings, for example. */
function withNumbers(values: Values, defaults: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const usual = memberOf(defaults, key);
      if (isMap(value) && isMap(usual)) return [key, withNumbers(value, usual)];
      const isNumber = typeof usual === 'number' && typeof value === 'string' && /^\d{1,9}$/.test(value);
      return [key, isNumber ? Number(value) : value];
    }),
  );
}

export interface FittingValues {
  readonly values: Values;
  readonly leftOut: readonly Problem[];
  readonly problems: readonly Problem[];
}

/** Returns the values that a chart accepts. A list with an invalid item is left out. */
export function fittingValues(chart: PinnedChart, values: Values): FittingValues {
  const remaining = new RemainingValues(values);
  const problems = checkValues(chart, values);
  for (const path of misfitPaths(chart, values)) remaining.takeMost(path);
  const rest = remaining.values ?? {};
  const left = checkValues(chart, rest);
  // A value can hide a problem of another value.
  if (left.length === 0 || problems.length === 0) return { values: rest, leftOut: problems, problems: left };
  if (JSON.stringify(rest) === JSON.stringify(values)) return { values, leftOut: [], problems };
  const further = fittingValues(chart, rest);
  return { ...further, leftOut: [...problems, ...further.leftOut] };
}

/** Removes private keys and credentials, because programs are in Git. */
export function withoutSecrets(values: Values): { readonly values: Values; readonly warnings: readonly Problem[] } {
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
