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
  text,
  valuesAt,
  valuesInText,
} from './source';

/** Returns the sources of a release of a chart in the repository: of the chart itself, and of those it depends on. */
export function localRelease(local: LocalChart, release: GivenRelease, place: Place, read: ReadValues): ReadSources {
  const { name, version, dependencies } = local.metadata;
  const values = mergeValues(local.values, read.values);
  const charts = (Array.isArray(dependencies) ? (dependencies as readonly Value[]) : []).filter(isMap);
  if (charts.length === 0 || chartIn(name) !== undefined) {
    return releaseSource({ ...release, chart: name, version }, place, { values, problems: read.problems });
  }
  const sources = charts
    .filter((chart) => isEnabled(chart, values))
    .map((chart) => {
      const at = inside(place, text(chart.alias) ?? String(chart.name));
      const own = valuesAt(values[text(chart.alias) ?? String(chart.name)], at);
      return releaseSource({ ...release, chart: chart.name, version: chart.version }, at, own);
    });
  const all = joinSources(sources);
  const isOfMesh = all.sources.length + managersIn(all).length > 0;
  return { ...all, problems: isOfMesh ? [...read.problems, ...all.problems] : all.problems };
}

/** Like `releaseSource`, for a chart that may be a folder beside the file: `./charts/linkerd`. */
export function releaseBeside(release: GivenRelease, place: Place, read: ReadValues): ReadSources {
  const { chart } = release;
  const isPath = typeof chart === 'string' && /^\.{0,2}\//.test(chart);
  const local = isPath ? place.repository?.chartAt(chart, fileOf(place)) : undefined;
  return local === undefined ? releaseSource(release, place, read) : localRelease(local, release, place, read);
}

/** The first of the paths that leads to a boolean decides. */
function isEnabled({ condition }: Values, values: Values): boolean {
  const paths = typeof condition === 'string' ? condition.split(',') : [];
  const given = paths.map((path) => valueAt(values, path.trim())).find((value) => typeof value === 'boolean');
  return given !== false;
}

/** Returns the layers of values that a list of files holds, in order. Without a repository, there are none. */
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
