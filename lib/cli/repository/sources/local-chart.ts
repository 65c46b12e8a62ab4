import { isMap, mergeValues, type Value, type Values, valueAt } from '#base/values';
import {
  chartIn,
  elsewhere,
  fileOf,
  type GivenRelease,
  inside,
  joinSources,
  type LocalChart,
  listAt,
  managersIn,
  type Place,
  type ReadSources,
  type ReadValues,
  refused,
  releaseSource,
  valuesAt,
  valuesInText,
} from './source';

/** Returns the sources of a release of a chart in the repository: the chart itself, or its dependencies. */
export function localRelease(local: LocalChart, release: GivenRelease, place: Place, read: ReadValues): ReadSources {
  const { name, version, dependencies } = local.metadata;
  const values = mergeValues(local.values, read.values);
  const charts = (Array.isArray(dependencies) ? (dependencies as readonly Value[]) : []).filter(isMap);
  if (charts.length === 0 || chartIn(name) !== undefined) {
    return releaseSource({ ...release, chart: name, version }, place, { values, problems: read.problems });
  }
  const sources = enabledIn(charts, values).map(({ chart, key }) => {
    const at = inside(place, key);
    return releaseSource({ ...release, chart: chart.name, version: chart.version }, at, valuesAt(values[key], at));
  });
  const all = joinSources(sources);
  const isOfMesh = all.sources.length + managersIn(all).length > 0;
  return { ...all, problems: isOfMesh ? [...read.problems, ...all.problems] : all.problems };
}

/** Like `releaseSource`, for a chart that may be a folder next to the file: `./charts/linkerd`. */
export function releaseBeside(release: GivenRelease, place: Place, read: ReadValues): ReadSources {
  const { chart } = release;
  const isPath = typeof chart === 'string' && /^\.{0,2}\//.test(chart);
  const local = isPath ? place.repository?.chartAt(chart, fileOf(place)) : undefined;
  return local === undefined ? releaseSource(release, place, read) : localRelease(local, release, place, read);
}

/** A dependency in the Chart.yaml of a chart. */
interface Dependency {
  readonly name?: unknown;
  readonly alias?: unknown;
  readonly condition?: unknown;
}

/** Returns the charts that values do not disable, with the keys of their values, and the values without conditions. */
export function enabledIn<T extends Dependency>(
  charts: readonly T[],
  values: Values,
): readonly { readonly chart: T; readonly key: string; readonly own: Values | undefined }[] {
  return charts.flatMap((chart) => {
    const key = typeof chart.alias === 'string' && chart.alias !== '' ? chart.alias : String(chart.name);
    const paths = typeof chart.condition === 'string' ? chart.condition.split(',').map((path) => path.trim()) : [];
    // The first of the paths that leads to a boolean decides.
    const given = paths.map((path) => valueAt(values, path)).find((value) => typeof value === 'boolean');
    return given === false ? [] : [{ chart, key, own: withoutPaths(values[key], key, paths) }];
  });
}

/** Removes the conditions of a chart from its values, because Helm reads them, and the chart does not. */
export function withoutPaths(own: Value | undefined, key: string, paths: readonly string[]): Values | undefined {
  if (!isMap(own)) return undefined;
  return Object.fromEntries(Object.entries(own).filter(([name]) => !paths.includes(`${key}.${name}`)));
}

/** Returns the values in a list of files, in order. Without a repository, returns problems. */
export function fileLayers(
  map: Values,
  key: string,
  { place, from }: { readonly place: Place; readonly from?: string | undefined },
): readonly ReadValues[] {
  const { repository } = place;
  if (repository === undefined || !Array.isArray(map[key])) {
    return elsewhere(map, place, [key]).map((problem) => refused(problem));
  }
  return listAt(map, key).map((path, index) => {
    const at = inside(inside(place, key), index);
    const content = typeof path === 'string' ? repository.valuesAt(path, from) : undefined;
    if (content === undefined) return refused(...elsewhere({ [key]: [path] }, place, [key]));
    at.onText?.(content);
    return valuesInText(content, at);
  });
}

/** Merges layers of values. */
export function mergedLayers(layers: readonly ReadValues[]): ReadValues {
  return {
    values: layers.reduce((merged, { values }) => mergeValues(merged, values), {} as Values),
    problems: layers.flatMap(({ problems }) => problems),
  };
}
