import { posix } from 'node:path';
import { type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { grouped } from '#base/grouped';
import { segmentsOf } from '#base/value-path';
import { isMap, mergeValues, type Values, valueAt } from '#base/values';
import { parseValues } from '#base/values-document';
import { partOfChart } from '#linkerd/releases/charts';
import { DEFAULT_LINKERD_VERSION, type LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { RENDERED_CHART_NAMES, type RenderedChartName } from '#linkerd/renderers/chart-names';
import { chartNamed } from '#linkerd/renderers/native-charts';
import { checkSecretsInValues } from '#linkerd/renderers/private-keys';
import { checkPartValues } from '../../checks/cluster/review-values';
import { checkGivenValues } from '../render-chart';
import { lineFinder } from '../repository/documents';
import { releaseOfPart, releaseOfSources } from '../repository/release-of-sources';
import { enabledIn, withoutPaths } from '../repository/sources/local-chart';
import { withoutGlobal } from '../repository/sources/source';
import type { Dependency } from './charts-in-files';

/** Values for a chart in a file that names neither the chart nor its version. */
export interface FoundValues {
  readonly file: string;
  readonly text: string;
  readonly chart: RenderedChartName;
  /** The key of the values in the file; undefined if they are the whole file. */
  readonly key?: string;
  readonly values: Values;
  /**
   * The release of the chart.
   *
   * @default - unknown
   */
  readonly release?: LinkerdVersion | undefined;
  /**
   * The version of the chart, in words, if no known release has it. Its values are not checked then.
   *
   * @default - the version of the release
   */
  readonly unknown?: string;
}

/** Values of one chart that are rare in other charts. */
export const OWN_KEYS: Readonly<Partial<Record<RenderedChartName, readonly string[]>>> = {
  'linkerd-control-plane': [
    'cniEnabled',
    'controllerLogLevel',
    'controllerReplicas',
    'destinationController',
    'disableHeartBeat',
    'identityTrustAnchorsPEM',
    'networkValidator',
    'policyController',
    'policyValidator',
    'profileValidator',
    'proxyInit',
    'proxyInjector',
    'spValidator',
  ],
  'linkerd-viz': ['metricsAPI', 'prometheusCredsSecret', 'tapInjector'],
  'linkerd2-cni': ['destCNIBinDir', 'destCNINetDir', 'portsToRedirect', 'repairController', 'useWaitFlag'],
  'linkerd-multicluster': [
    'controllerDefaults',
    'localServiceMirror',
    'remoteMirrorServiceAccount',
    'remoteMirrorServiceAccountName',
  ],
};

/** Files without any of these words are not parsed, because parsing takes long. */
const HINT = new RegExp([...RENDERED_CHART_NAMES, ...Object.values(OWN_KEYS).flat()].join('|'));

/**
 * Returns the values of the control plane in values files, without values that another layer may override; undefined
 * without a control plane, or with several.
 */
export function meshValuesIn(all: readonly FoundValues[]): Values | undefined {
  const own = all.filter(({ chart }) => chart === 'linkerd-control-plane');
  const [usual, ...others] = byDistance(own);
  if (usual === undefined || new Set(own.map(folderOf)).size > 1) return undefined;
  return others.reduce((values, other) => withoutOverridden(values, other.values), usual.values);
}

function withoutOverridden(values: Values, by: Values): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]): readonly (readonly [string, Values[string]])[] => {
      const over = Object.hasOwn(by, key) ? by[key] : undefined;
      if (over === undefined) return [[key, value]];
      return isMap(value) && isMap(over) ? [[key, withoutOverridden(value, over)]] : [];
    }),
  );
}

/** Returns the release for which values are checked because neither the files nor the configuration name one. */
export function assumedRelease(
  all: readonly FoundValues[],
  given: LinkerdVersion | undefined,
): LinkerdVersion | undefined {
  const isAssumed = ({ chart, values, release, unknown }: FoundValues) =>
    (release ?? unknown ?? releaseOfSources([{ chart, values }]) ?? given) === undefined;
  return all.some(isAssumed) ? DEFAULT_LINKERD_VERSION : undefined;
}

/** The line that `helm get values` prints above the values. */
const HEADING = /^\ufeff?(?:USER-SUPPLIED|COMPUTED) VALUES:/;

/** Returns the values for charts of Linkerd in a file that has no object of Kubernetes. */
export function valuesIn(file: string, text: string): readonly FoundValues[] {
  if (!HINT.test(file) && !SHORT_NAME.test(posix.basename(file)) && !HINT.test(text)) return [];
  const values = readValues(text);
  if (values.apiVersion !== undefined || values.kind !== undefined) return [];
  const byKey = RENDERED_CHART_NAMES.flatMap((key): readonly FoundValues[] => {
    const own = values[key];
    return isMap(own) && hasSome(key, own)
      ? [{ file, text, chart: key, key, values: withoutPaths(own, key, [`${key}.enabled`]) ?? {} }]
      : [];
  });
  const chart = byKey.length > 0 ? undefined : (chartByKeys(values) ?? chartByName(file, values));
  return chart === undefined ? byKey : [{ file, text, chart, values }];
}

function readValues(text: string): Values {
  try {
    return withoutGlobal(parseValues(text.replace(HEADING, '')));
  } catch {
    return {};
  }
}

function chartByKeys(values: Values): RenderedChartName | undefined {
  return RENDERED_CHART_NAMES.find((chart) => OWN_KEYS[chart]?.some((key) => Object.hasOwn(values, key)));
}

/** A file with the name of a chart may contain other data, so its keys are compared, too. */
function chartByName(file: string, values: Values): RenderedChartName | undefined {
  const name = posix.basename(file);
  const [ofFile, ofFolder] = [name, posix.basename(posix.dirname(file))].map((text) =>
    RENDERED_CHART_NAMES.find((chart) => text.includes(chart)),
  );
  const isNamedValues = /values/i.test(name) && Object.keys(values).length > 0;
  if (ofFile !== undefined) return isNamedValues || hasSome(ofFile, values) ? ofFile : undefined;
  const chart = ofFolder ?? chartByShortName(file);
  if (chart === undefined) return undefined;
  return (isNamedValues && chart === ofFolder) || hasMost(chart, values) ? chart : undefined;
}

/** Common short names of charts: `linkerd/viz.yaml`, `viz-values.yaml`. */
const SHORT_NAME = /(?<![a-z])(?:control-plane|viz|cni|multicluster|jaeger)(?![a-z])/i;

function chartByShortName(file: string): RenderedChartName | undefined {
  const name = posix.basename(file);
  const [short = ''] = SHORT_NAME.exec(name) ?? [];
  // Other projects also have charts with the other short names.
  const isOwn = /linkerd/i.test(file) || (/control-plane|viz/i.test(short) && /values/i.test(name));
  return short === '' || !isOwn ? undefined : RENDERED_CHART_NAMES.find((chart) => chart.endsWith(short.toLowerCase()));
}

function hasMost(chart: RenderedChartName, values: Values): boolean {
  const { defaults } = withRelease(chart);
  const keys = Object.keys(values);
  return keys.length > 0 && 2 * keys.filter((key) => Object.hasOwn(defaults, key)).length >= keys.length;
}

/**
 * Returns the values in files that are layers of recognized files in the same folder, and the files there that cannot
 * be recognized.
 *
 * @param others - texts of the other files, by path
 */
export function valuesBeside(
  recognized: readonly FoundValues[],
  others: ReadonlyMap<string, string>,
): { readonly values: readonly FoundValues[]; readonly unrecognized: readonly string[] } {
  const byFolder = grouped(recognized.flatMap((one) => (one.key === undefined ? [[folderOf(one), one] as const] : [])));
  const read = [...others].flatMap(([file, text]) => {
    const beside = byFolder.get(posix.dirname(file)) ?? [];
    const values = beside.length === 0 || !/\.ya?ml$/i.test(file) ? {} : readValues(text);
    if (Object.keys(values).length === 0 || values.apiVersion !== undefined || values.kind !== undefined) return [];
    const charts = [...new Set(beside.map(({ chart }) => chart))];
    const isLayer = VALUES_NAME.test(file) && beside.some((one) => VALUES_NAME.test(one.file));
    const [chart] = charts.length === 1 ? charts.filter((one) => isLayer || hasMost(one, values)) : [];
    return [{ file, text, chart, values }];
  });
  return {
    values: read.flatMap(({ chart, ...one }) => (chart === undefined ? [] : [{ ...one, chart }])),
    unrecognized: read.flatMap(({ chart, file }) =>
      chart === undefined && /linkerd|values[^/]*$/i.test(file) ? [file] : [],
    ),
  };
}

/** `values.yaml`, `values-prod.yaml`, `prod-values.yaml`. */
const VALUES_NAME = /(?:^|[/._-])values(?![a-z])[^/]*$/i;

function hasSome(chart: RenderedChartName, values: Values): boolean {
  const defaults = withRelease(chart).defaults;
  return Object.keys(values).some((key) => Object.hasOwn(defaults, key));
}

/** Returns the values for charts of Linkerd in a file that overrides the values of a chart with such dependencies. */
export function overridesIn(file: string, text: string, dependencies: readonly Dependency[]): readonly FoundValues[] {
  const values = readValues(text);
  return enabledIn(dependencies, values).flatMap(({ chart: { name, version }, key, own }): readonly FoundValues[] => {
    const chart = RENDERED_CHART_NAMES.find((one) => one === name);
    const part = partOfChart(name);
    if (chart === undefined || part === undefined || own === undefined) return [];
    const known = releaseOfPart({ chart, values: own, version, place: file }, part);
    return [{ file, text, chart, key, values: own, ...(!('closest' in known) && known) }];
  });
}

const LAST_STABLE = 'stable-2.14.10';

/** The last stable release has the charts that newer releases lack. */
function withRelease(chart: RenderedChartName, version: LinkerdVersion = DEFAULT_LINKERD_VERSION) {
  const releases = [version, DEFAULT_LINKERD_VERSION, LAST_STABLE] as const;
  const found = releases.flatMap((one) => {
    const known = chartNamed(chart, releaseOf(one));
    return known === undefined ? [] : [{ version: one, pinned: known.pinned, defaults: known.defaults }];
  });
  const [first] = found;
  if (first === undefined) throw new RangeError(`no release has the chart ${chart}`);
  return first;
}

/**
 * Returns the findings about values files.
 *
 * @param given - the release for files that name none, neither by their place nor by images; by default the newest
 */
export function checkValuesFiles(all: readonly FoundValues[], given: LinkerdVersion | undefined): readonly Finding[] {
  return all.flatMap((found) => {
    if (found.unknown !== undefined) return [];
    const { chart, file, text, values, key } = found;
    const wanted = found.release ?? releaseOfSources([{ chart, values }]) ?? given ?? DEFAULT_LINKERD_VERSION;
    const { version, pinned, defaults } = withRelease(chart, wanted);
    // If the library lacks the chart of the wanted release, that release may have values that are unknown here.
    const { problems: every, unknown } = checkGivenValues(chart, pinned, values, version);
    const problems = version === wanted ? every : every.filter((problem) => !unknown.includes(problem));
    const path = key === undefined ? `values of ${chart}` : `values of ${chart} (${key})`;
    const lineOf = lineFinder(text, 1);
    const layers = all.filter((one) => one.chart === chart && folderOf(one) === folderOf(found));
    // Defaults are no mistakes: in `helm show values`, some have another type than the template expects.
    const mistakes = problems.filter((problem) => {
      const value = valueAt(values, pathOf(problem));
      return value === undefined || JSON.stringify(value) !== JSON.stringify(valueAt(defaults, pathOf(problem)));
    });
    const own = [
      ...mistakes,
      ...checkSecretsInValues(values),
      ...(found.release === undefined ? checkTogether(found, layers, version) : []),
    ];
    return findingsAt(path, own).map((finding) => ({
      ...finding,
      source: { file, line: lineOf([...(key === undefined ? [] : [key]), ...segmentsOf(pathOf(finding.problem))]) },
    }));
  });
}

/** Checks the main file alone and with each other layer, because a layer may lack values that another one sets. */
function checkTogether(
  found: FoundValues,
  layers: readonly FoundValues[],
  version: LinkerdVersion,
): readonly Problem[] {
  const part = partOfChart(found.chart);
  if (part === undefined || found !== byDistance(layers)[0]) return [];
  const check = (values: Values) => checkPartValues(part, values, releaseOf(version));
  const others = layers.filter((one) => one !== found);
  const checked = others.map(({ values }) => new Set(check(mergeValues(found.values, values)).map(({ what }) => what)));
  return check(found.values).filter(({ what }) => checked.every((problems) => problems.has(what)));
}

function byDistance(layers: readonly FoundValues[]): readonly FoundValues[] {
  return layers.toSorted((one, other) => distance(one) - distance(other));
}

/** Ranks files by their names: `values.yaml` first, then by length. The first file is the main file. */
function distance({ file }: FoundValues): number {
  const name = posix.basename(file).replace(/\.\w+$/, '');
  return name === 'values' ? 0 : name.length;
}

function folderOf({ file }: FoundValues): string {
  return posix.dirname(file);
}

function pathOf({ about = '' }: Problem): string {
  return about.replace(/^values\.?/, '');
}
