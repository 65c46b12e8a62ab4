import { posix } from 'node:path';
import { type Finding, findingsAt } from '#base/findings/finding';
import type { Problem } from '#base/findings/problem';
import { segmentsOf } from '#base/value-path';
import { isMap, type Values, valueAt } from '#base/values';
import { parseValues } from '#base/values-document';
import { checkSecretsInValues } from '../../linkerd/charts/private-keys';
import { checkControlPlaneValues, checkVizSource } from '../../linkerd/charts/release-values';
import { partOfChart } from '../../linkerd/releases/charts';
import { DEFAULT_LINKERD_VERSION, type LinkerdVersion } from '../../linkerd/releases/known-releases';
import { releaseOf } from '../../linkerd/releases/release';
import { RENDERED_CHART_NAMES, type RenderedChartName } from '../chart-names';
import { chartNamed } from '../native-charts';
import { checkGivenValues } from '../render-chart';
import { lineFinder } from '../repository/read-file';
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

/** The line that `helm get values` prints above the values. */
const HEADING = /^\ufeff?(?:USER-SUPPLIED|COMPUTED) VALUES:/;

/** Returns the values for charts of Linkerd in a file that has no object of Kubernetes. */
export function valuesIn(file: string, text: string): readonly FoundValues[] {
  if (!HINT.test(file) && !HINT.test(text)) return [];
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
  const named = [name, posix.basename(posix.dirname(file))].map((text) =>
    RENDERED_CHART_NAMES.find((chart) => text.includes(chart)),
  );
  const chart = named[0] ?? (/values/i.test(name) ? named[1] : undefined);
  if (chart === undefined) return undefined;
  const isValues = /values/i.test(name) && Object.keys(values).length > 0;
  return isValues || hasSome(chart, values) ? chart : undefined;
}

function hasSome(chart: RenderedChartName, values: Values): boolean {
  const defaults = newestOf(chart).defaults;
  return Object.keys(values).some((key) => Object.hasOwn(defaults, key));
}

function newestOf(chart: RenderedChartName) {
  return withRelease(chart, DEFAULT_LINKERD_VERSION);
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
function withRelease(chart: RenderedChartName, version: LinkerdVersion) {
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
    const { version, pinned, defaults } = withRelease(
      chart,
      found.release ?? releaseOfSources([{ chart, values }]) ?? given ?? DEFAULT_LINKERD_VERSION,
    );
    // Other releases may have what this one ignores.
    const { problems } = checkGivenValues(chart, pinned, values, version);
    const path = key === undefined ? `values of ${chart}` : `values of ${chart} (${key})`;
    const lineOf = lineFinder(text, 1);
    const isWhole =
      found.release === undefined &&
      !all.some((one) => one !== found && one.chart === chart && folderOf(one) === folderOf(found));
    // Of `helm show values`, some defaults have another type than their template.
    const mistakes = problems.filter(({ about = '' }) => !isSame(givenAt(values, about), givenAt(defaults, about)));
    const own = [...mistakes, ...checkSecretsInValues(values), ...(isWhole ? checkTogether(found, version) : [])];
    return findingsAt(path, own).map((finding) => ({
      ...finding,
      source: { file, line: lineOf([...(key === undefined ? [] : [key]), ...placeOf(finding.problem)]) },
    }));
  });
}

/** A layer of values may lack what another one sets. */
function checkTogether({ chart, values }: FoundValues, version: LinkerdVersion): readonly Problem[] {
  if (chart === 'linkerd-viz') return checkVizSource(values);
  return chart === 'linkerd-control-plane' ? checkControlPlaneValues(values, releaseOf(version)) : [];
}

function folderOf({ file }: FoundValues): string {
  return posix.dirname(file);
}

function placeOf({ about = '' }: Problem): readonly string[] {
  return segmentsOf(withoutRoot(about));
}

function withoutRoot(about: string): string {
  return about.replace(/^values\.?/, '');
}

function givenAt(values: Values, about: string): unknown {
  return valueAt(values, withoutRoot(about));
}

function isSame(value: unknown, other: unknown): boolean {
  return value !== undefined && JSON.stringify(value) === JSON.stringify(other);
}
