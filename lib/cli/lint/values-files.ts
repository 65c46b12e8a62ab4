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
import { checkPartValues } from '../../gitops/tree/review-values';
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
  /** The key at which the file has the values; undefined if they are the whole file. */
  readonly key?: string;
  readonly values: Values;
  /**
   * The release of the chart.
   *
   * @default - it is not known
   */
  readonly release?: LinkerdVersion | undefined;
  /**
   * The version of the chart, in words, if no known release has it: its values are not checked.
   *
   * @default - it is that of the release
   */
  readonly unknown?: string;
}

/** Values of one chart that hardly any other chart has. */
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

/** Parsing takes long: most files have none of these words. */
const HINT = new RegExp([...RENDERED_CHART_NAMES, ...Object.values(OWN_KEYS).flat()].join('|'));

/**
 * Returns the values of the control plane in values files, without those that another layer may override; undefined if
 * there are none, or those of several control planes.
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

/** Returns the release for which values are checked because neither the files nor the configuration tell another. */
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

/** A file beside others may have the name of a chart, and be something else. */
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

/** Names of charts as people shorten them: `linkerd/viz.yaml`, `viz-values.yaml`. */
const SHORT_NAME = /(?<![a-z])(?:control-plane|viz|cni|multicluster|jaeger)(?![a-z])/i;

function chartByShortName(file: string): RenderedChartName | undefined {
  const name = posix.basename(file);
  const [short = ''] = SHORT_NAME.exec(name) ?? [];
  // Others have charts of the other names, too.
  const isOwn = /linkerd/i.test(file) || (/control-plane|viz/i.test(short) && /values/i.test(name));
  return short === '' || !isOwn ? undefined : RENDERED_CHART_NAMES.find((chart) => chart.endsWith(short.toLowerCase()));
}

function hasMost(chart: RenderedChartName, values: Values): boolean {
  const { defaults } = withRelease(chart);
  const keys = Object.keys(values);
  return keys.length > 0 && 2 * keys.filter((key) => Object.hasOwn(defaults, key)).length >= keys.length;
}

/**
 * Returns the values in files that are layers of others, by their folder, and the files beside others that cannot be
 * recognized.
 *
 * @param others - texts by path, of which it is not known what they are
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

/** Returns the values for charts of Linkerd in a file whose values override those of a chart that depends on them. */
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

/** The last stable release has the charts that newer ones lack. */
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
 * Reports what is wrong with values of which only the chart is known.
 *
 * @param given - the release; by default, the one whose images the values name, or the newest
 */
export function checkValuesFiles(all: readonly FoundValues[], given: LinkerdVersion | undefined): readonly Finding[] {
  return all.flatMap((found) => {
    if (found.unknown !== undefined) return [];
    const { chart, file, text, values, key } = found;
    const wanted = found.release ?? releaseOfSources([{ chart, values }]) ?? given ?? DEFAULT_LINKERD_VERSION;
    const { version, pinned, defaults } = withRelease(chart, wanted);
    // Other releases may have what this one ignores, and releases of a chart that the library lacks what none has.
    const { problems: every, unknown } = checkGivenValues(chart, pinned, values, version);
    const problems = version === wanted ? every : every.filter((problem) => !unknown.includes(problem));
    const path = key === undefined ? `values of ${chart}` : `values of ${chart} (${key})`;
    const lineOf = lineFinder(text, 1);
    const layers = all.filter((one) => one.chart === chart && folderOf(one) === folderOf(found));
    // Of `helm show values`, some defaults have another type than their template.
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

/** A layer of values may lack what another one sets: the usual file is checked, alone and with each of the others. */
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

/** From the usual name of a values file; others are layers of the one with the shortest name. */
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
