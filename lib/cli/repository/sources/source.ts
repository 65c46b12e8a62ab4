import type { Problem } from '#base/findings/problem';
import { isMap, mergeValues, type Value, type Values, valueAt } from '#base/values';
import { parseValues } from '#base/values-document';
import { RENDERED_CHART_NAMES, type RenderedChartName } from '#linkerd/renderers/chart-names';
import { CLI_FINDINGS } from '../../findings';

/** The charts with values that become constructs. */
export type MigratedChart = RenderedChartName | 'linkerd-crds';

/** Values of one chart, as a file of any tool contains them. */
export interface HelmSource {
  /** Undefined if the file does not name the chart. */
  readonly chart: MigratedChart | undefined;
  readonly values: Values;
  readonly namespace?: string | undefined;
  /** The chart's version, or a range. */
  readonly version?: string | undefined;
  /** The file and the path in it. */
  readonly place: string;
  /** Whether the values override another source of the chart. */
  readonly isOverlay?: boolean;
}

/** Values of a chart that is not Linkerd's. */
export type OtherSource = Omit<HelmSource, 'chart' | 'isOverlay'> & { readonly chart: string };

/** The charts of other projects that a mesh needs. */
export type ManagerChart = 'cert-manager' | 'trust-manager';

/** Values of a release of cert-manager or trust-manager. */
export type ManagerSource = OtherSource & { readonly chart: ManagerChart };

/** The values in a file, or in a part of it. */
export interface ReadSources {
  readonly sources: readonly HelmSource[];
  readonly others: readonly OtherSource[];
  /** Sources with problems in some of their values. */
  readonly partial: readonly HelmSource[];
  readonly problems: readonly Problem[];
  /** Notes about parts that the program leaves out. */
  readonly notes: readonly Problem[];
}

export const NOTHING_READ: ReadSources = { sources: [], others: [], partial: [], problems: [], notes: [] };

/** Joins the sources of several parts. */
export function joinSources(read: readonly ReadSources[]): ReadSources {
  return {
    sources: read.flatMap(({ sources }) => sources),
    others: read.flatMap(({ others }) => others),
    partial: read.flatMap(({ partial }) => partial),
    problems: read.flatMap(({ problems }) => problems),
    notes: read.flatMap(({ notes }) => notes),
  };
}

/** A place in a file, and how its values are read. */
export interface Place {
  readonly file: string;
  readonly path: string;
  /** The pattern of templates that the tool fills in. */
  readonly template?: RegExp;
  /** Other objects, which may contain values of this place. */
  readonly objects?: readonly Values[];
  /** The files of the repository, if there is one. Values that cannot be read are then left out. */
  readonly repository?: Repository;
  /** Whether values keep their templates. */
  readonly keepsTemplates?: boolean;
  /** Called with the text of each values file; overriding files come last. */
  readonly onText?: (content: string) => void;
}

/** The files to which values can refer. */
export interface Repository {
  /**
   * Returns the text of a values file; undefined if the file is missing.
   *
   * @param from - path of the file that refers to it; absent if the path is relative to the root
   */
  valuesAt(path: string, from?: string): string | undefined;

  chartAt(path: string, from?: string): LocalChart | undefined;
}

/** A chart in a folder. */
export interface LocalChart {
  readonly folder: string;
  readonly metadata: Values;
  readonly values: Values;
}

/** Returns the place of a key or an index inside of another place. */
export function inside(place: Place, key: string | number): Place {
  const { path } = place;
  if (typeof key === 'number') return { ...place, path: `${path}[${key}]` };
  return { ...place, path: path === '' ? key : `${path}.${key}` };
}

/** The old chart, which contained the control plane and its CRDs. */
const OLD_CHART = 'linkerd2';

/** Returns the chart that a reference such as `linkerd/linkerd-viz` names; undefined if it is not Linkerd's. */
export function chartIn(reference: Value | undefined): MigratedChart | undefined {
  const name = chartNameIn(reference);
  if (name === OLD_CHART) return 'linkerd-control-plane';
  return name === 'linkerd-crds' ? name : RENDERED_CHART_NAMES.find((known) => known === name);
}

function chartNameIn(reference: Value | undefined): string | undefined {
  if (typeof reference !== 'string') return undefined;
  return reference
    .replace(/[@:][^/]*$/, '')
    .replace(/\/+$/, '')
    .split('/')
    .at(-1)
    ?.replace(/-v?\d+(?:\.\d+)*\.tgz$/, '');
}

/** Returns the version in the name of an archive, or in the reference of an OCI artifact. */
function versionIn(reference: Value | undefined): string | undefined {
  return typeof reference === 'string' ? /(?:-|:)v?(\d+\.\d+\.\d+)(?:\.tgz)?$/.exec(reference)?.[1] : undefined;
}

/** A release of a chart: the fields that all tools have. */
export interface GivenRelease {
  readonly chart: Value | undefined;
  readonly version?: Value | undefined;
  readonly namespace?: Value | undefined;
  readonly isOverlay?: boolean;
}

/** Returns the source of a release, or a note that its chart is not one of Linkerd's. */
export function releaseSource(release: GivenRelease, place: Place, read: ReadValues): ReadSources {
  const chart = chartIn(release.chart);
  const { problems, values } = read;
  const charts = chart === undefined ? chartKeys(values) : [];
  const isRefused = problems.length > 0 && place.repository === undefined;
  if (chart === undefined && charts.length === 0) return otherRelease(release, place, read);
  if (chart === undefined) {
    const failed = { ...NOTHING_READ, problems };
    return isRefused ? failed : joinSources([failed, umbrellaSources(values, charts, place)]);
  }
  const source: HelmSource = {
    ...commonOf(release, place),
    chart,
    values: withoutGlobal(values),
    ...(release.isOverlay === true && { isOverlay: true }),
  };
  return isRefused
    ? { ...NOTHING_READ, problems, partial: [source] }
    : { ...NOTHING_READ, problems, sources: [source] };
}

/** In a repository, most releases do not concern the mesh, and need no note. */
function otherRelease(release: GivenRelease, place: Place, { values, problems }: ReadValues): ReadSources {
  const chart = chartNameIn(release.chart);
  const isNoted = place.repository === undefined || (chart?.startsWith('linkerd') === true && !isManager(chart));
  const others =
    chart === undefined || (problems.length > 0 && place.repository === undefined)
      ? []
      : [{ ...commonOf(release, place), chart, values }];
  return {
    ...NOTHING_READ,
    others,
    notes: isNoted
      ? [CLI_FINDINGS.notMigratedChart({ place: placeText(place), chart: text(release.chart) ?? '' })]
      : [],
    problems: place.repository !== undefined && chart !== undefined && isManager(chart) ? problems : [],
  };
}

function isManager(chart: string): chart is ManagerChart {
  return chart === 'cert-manager' || chart === 'trust-manager';
}

/** Returns the releases of cert-manager and trust-manager. */
export function managersIn({ others }: ReadSources): readonly ManagerSource[] {
  return others.flatMap(({ chart, ...source }) => (isManager(chart) ? [{ ...source, chart }] : []));
}

function commonOf(
  release: GivenRelease,
  place: Place,
): { readonly namespace: string | undefined; readonly version: string | undefined; readonly place: string } {
  return {
    namespace: text(release.namespace),
    version: versionText(release.version) ?? versionIn(release.chart),
    place: placeText(place),
  };
}

/** Returns the keys that are names of charts. A chart contains the values of its dependencies at such keys. */
export function chartKeys(values: Values): readonly string[] {
  return Object.keys(values).filter((key) => isMap(values[key]) && chartIn(key) !== undefined);
}

/** Returns the values of a chart that depends on Linkerd's charts: each is at the name of its dependency. */
export function umbrellaSources(values: Values, charts: readonly string[], place: Place): ReadSources {
  const others = Object.keys(values).filter((key) => !charts.includes(key) && key !== 'global');
  const notes = others.map((key) => CLI_FINDINGS.notMigratedSetting({ place: placeText(inside(place, key)) }));
  const read = joinSources(
    charts.map((chart) =>
      releaseSource({ chart }, inside(place, chart), valuesAt(values[chart], inside(place, chart))),
    ),
  );
  return { ...read, notes: [...read.notes, ...notes] };
}

/** Moves the values in `global` to the root: before 2.10, the chart linkerd2 had most values there. */
export function withoutGlobal(values: Values): Values {
  const { global, ...rest } = values;
  return isMap(global) ? mergeValues(global, rest) : values;
}

/** Whether a reference names an object. A missing namespace matches every namespace. */
export function isNamed(object: Values, { kind, name }: Values, namespace: Value | undefined): boolean {
  const metadata = mapAt(object, 'metadata');
  const isHere = metadata.namespace === undefined || namespace === undefined || metadata.namespace === namespace;
  return object.kind === kind && metadata.name === name && isHere;
}

/** Returns a string; undefined for any other value, and for an empty string. */
export function text(value: Value | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the path of a place's file, which may end with a line. */
export function fileOf({ file }: Place): string {
  return file.replace(/:\d+$/, '');
}

/** YAML reads `1.16` as a number. */
function versionText(value: Value | undefined): string | undefined {
  return typeof value === 'number' ? String(value) : text(value);
}

export function placeText({ file, path }: Place): string {
  return path === '' ? file : `${file}: ${path}`;
}

/** Values, or the problems of reading them. */
export interface ReadValues {
  readonly values: Values;
  readonly problems: readonly Problem[];
}

const NO_VALUES: ReadValues = { values: {}, problems: [] };

/** Returns the values at a place: a map. */
export function valuesAt(value: Value | undefined, place: Place): ReadValues {
  if (value === undefined || value === null) return NO_VALUES;
  if (!isMap(value)) return refused(CLI_FINDINGS.releaseRefusedNotValues({ place: placeText(place) }));
  if (place.repository !== undefined) return withoutTemplates(value, place);
  const template = templateIn(value, place);
  return template === undefined ? { values: value, problems: [] } : refused(template);
}

/** Returns the values in a text of YAML. */
export function valuesInText(value: Value | undefined, place: Place): ReadValues {
  if (value === undefined || value === null) return NO_VALUES;
  try {
    return valuesAt(parseValues(typeof value === 'string' ? value : 'text'), place);
  } catch {
    const isTemplate = typeof value === 'string' && place.template?.test(value) === true;
    const refuse = isTemplate ? CLI_FINDINGS.releaseRefusedTemplate : CLI_FINDINGS.releaseRefusedNotValues;
    return refused(refuse({ place: placeText(place) }));
  }
}

export function refused(...problems: readonly Problem[]): ReadValues {
  return { values: {}, problems };
}

/** Leaves out the values that the tool would fill in. A list is left out as a whole. */
function withoutTemplates(values: Values, place: Place): ReadValues {
  const read = Object.entries(values).map(([key, value]) => {
    const at = inside(place, key);
    if (isMap(value)) {
      const { values: rest, problems } = withoutTemplates(value, at);
      const isEmpty = problems.length > 0 && Object.keys(rest).length === 0;
      return { kept: isEmpty ? undefined : rest, key, problems };
    }
    const template = templateIn(key, at) ?? templateIn(value, at);
    return template === undefined ? { kept: value, key, problems: [] } : { kept: undefined, key, problems: [template] };
  });
  return {
    values: Object.fromEntries(read.flatMap(({ key, kept }) => (kept === undefined ? [] : [[key, kept]]))),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** Returns a problem for a value that the tool would fill in. */
function templateIn(value: Value | undefined, place: Place): Problem | undefined {
  if (place.keepsTemplates === true) return undefined;
  if (typeof value === 'string') {
    const isTemplate = place.template?.test(value) === true;
    return isTemplate ? CLI_FINDINGS.releaseRefusedTemplate({ place: placeText(place) }) : undefined;
  }
  const entries: readonly (readonly [string | number, Value | undefined])[] = Array.isArray(value)
    ? value.map((item: Value, index) => [index, item] as const)
    : isMap(value)
      ? Object.entries(value)
      : [];
  for (const [key, item] of entries) {
    const found = templateIn(item, inside(place, key));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns a problem for each of the fields of a map that refers to values outside of the file. */
export function elsewhere(map: Values, place: Place, keys: readonly string[]): readonly Problem[] {
  return keys.flatMap((key) => {
    const value = map[key];
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return [];
    if (!Array.isArray(value)) return [CLI_FINDINGS.releaseRefusedElsewhere({ place: placeText(inside(place, key)) })];
    return value.map((_, index) =>
      CLI_FINDINGS.releaseRefusedElsewhere({ place: placeText(inside(inside(place, key), index)) }),
    );
  });
}

/** Returns the map at a dotted path; an empty map if there is none. */
export function mapAt(map: Values, path: string): Values {
  const value = valueAt(map, path);
  return isMap(value) ? value : {};
}

export function listAt(map: Values, key: string): readonly Value[] {
  const value = map[key];
  return Array.isArray(value) ? (value as readonly Value[]) : [];
}
