import { isMap, mergeValues, type Value, type Values } from '#base/values';
import { CLI_FINDINGS } from '../../findings';
import { fileLayers, localRelease, mergedLayers } from './local-chart';
import { withParameters } from './parameters';
import {
  chartIn,
  elsewhere,
  fileOf,
  type GivenRelease,
  inside,
  isNamed,
  joinSources,
  listAt,
  managersIn,
  mapAt,
  NOTHING_READ,
  type Place,
  placeText,
  type ReadSources,
  type ReadValues,
  refused,
  releaseSource,
  text,
  valuesAt,
  valuesInText,
} from './source';
import { isReferenced, valuesFrom } from './values-from';

/** Reads a Kubernetes object by its group and kind, in any version. */
export function readObject(object: Values, place: Place): ReadSources {
  const { kind } = object;
  const isOfRepository = place.repository !== undefined;
  const read = readerOf(object) ?? (isOfRepository ? readerOf(object, READERS_OF_REPOSITORY) : undefined);
  if (read !== undefined) return read(object, place);
  if (isOfRepository) return NOTHING_READ;
  if (kind === 'List') return readList(object, place);
  if (isReferenced(object, place.objects ?? [])) return NOTHING_READ;
  const name = text(mapAt(object, 'metadata').name) ?? '';
  return {
    ...NOTHING_READ,
    notes: [CLI_FINDINGS.notMigratedObject({ place: placeText(place), kind: String(kind), name })],
  };
}

/** Whether objects of a kind install charts. */
export function isReleaseKind(type: Typed): boolean {
  return readerOf(type) !== undefined;
}

interface Typed {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}

function readerOf({ apiVersion, kind }: Typed, readers = READERS): Reader | undefined {
  const key = `${String(apiVersion).replace(/\/[^/]*$/, '')}/${kind}`;
  return Object.hasOwn(readers, key) ? readers[key] : undefined;
}

/** For repositories only: the values that `linkerd install` stores, and the charts of kustomizations. */
const READERS_OF_REPOSITORY: Readonly<Record<string, Reader>> = {
  'v1/ConfigMap': installedValues,
  'builtin/HelmChartInflationGenerator': inflation,
};

type Reader = (object: Values, place: Place) => ReadSources;

const READERS: Readonly<Record<string, Reader>> = {
  'helm.toolkit.fluxcd.io/HelmRelease': fluxRelease,
  'argoproj.io/Application': (object, place) => argoSources(mapAt(object, 'spec'), inside(place, 'spec')),
  'argoproj.io/ApplicationSet': (object, place) =>
    applicationSet(object, { ...place, template: besides(place, /\{\{/) }),
  'helm.cattle.io/HelmChart': k3sChart,
  'helm.cattle.io/HelmChartConfig': k3sConfig,
};

function readList(list: Values, place: Place): ReadSources {
  return joinSources(
    listAt(list, 'items').map((item, index) =>
      isMap(item) ? readObject(item, inside(inside(place, 'items'), index)) : NOTHING_READ,
    ),
  );
}

function applicationSet(object: Values, place: Place): ReadSources {
  const [spec, at] = [mapAt(object, 'spec'), inside(place, 'spec')];
  const read = argoSources(mapAt(spec, 'template.spec'), inside(inside(at, 'template'), 'spec'));
  const isOther = read.sources.length + managersIn(read).length === 0;
  return isOther ? read : { ...read, notes: [...read.notes, ...settings(spec, at, ['templatePatch'])] };
}

/** Returns the pattern of templates at a place, with the templates of one kind. */
function besides({ template }: Place, own: RegExp): RegExp {
  return template === undefined ? own : new RegExp(`${template.source}|${own.source}`);
}

/** Values may contain variables, which a Kustomization of Flux fills in. */
function fluxRelease(object: Values, place: Place): ReadSources {
  const spec = mapAt(object, 'spec');
  const at = { ...inside(place, 'spec'), template: besides(place, /\$\{/) };
  const metadata = mapAt(object, 'metadata');
  const chart = mapAt(spec, 'chart.spec');
  const reference = mapAt(spec, 'chartRef');
  const referred = referredChart(reference, metadata.namespace, place.objects ?? []);
  // A chartRef names an object, which usually has the name of the chart.
  const named = text(chart.chart) ?? referred?.chart ?? [reference.name, spec.releaseName, metadata.name].find(chartIn);
  const values = valuesAt(spec.values, inside(at, 'values'));
  const from = valuesFrom(object, at);
  const chartPlace = inside(inside(at, 'chart'), 'spec');
  const files = mergedLayers(fileLayers(chart, 'valuesFiles', { place: chartPlace }));
  const problems = [
    ...from.problems,
    ...elsewhere(chart, chartPlace, ['valuesFile']),
    ...files.problems,
    ...values.problems,
  ];
  const version = chart.version ?? referred?.version;
  const release = { chart: named, version, namespace: spec.targetNamespace ?? metadata.namespace };
  const given = { values: mergeValues(mergeValues(files.values, from.values), values.values), problems };
  const isInRepository = ['GitRepository', 'Bucket'].includes(String(mapAt(chart, 'sourceRef').kind));
  const path = isInRepository ? text(chart.chart) : undefined;
  const local = path === undefined ? undefined : at.repository?.chartAt(path);
  const read = local === undefined ? releaseSource(release, at, given) : localRelease(local, release, at, given);
  const isOther = at.repository !== undefined && read.sources.length + managersIn(read).length === 0;
  return isOther ? read : { ...read, notes: [...read.notes, ...settings(spec, at, ['postRenderers'])] };
}

/** Whether a HelmRelease refers to a chart that is not among the objects. */
export function isChartElsewhere(object: Values, objects: readonly Values[]): boolean {
  const reference = mapAt(object, 'spec.chartRef');
  const { namespace } = mapAt(object, 'metadata');
  return text(reference.name) !== undefined && referredChart(reference, namespace, objects) === undefined;
}

/** Returns the chart of an OCIRepository or a HelmChart of Flux; undefined if it is not among the objects. */
function referredChart(
  reference: Values,
  own: Value | undefined,
  objects: readonly Values[],
): Pick<GivenRelease, 'chart' | 'version'> | undefined {
  const isFlux = ({ apiVersion }: Values) => String(apiVersion).startsWith('source.toolkit.fluxcd.io/');
  const found = objects.find((object) => isFlux(object) && isNamed(object, reference, reference.namespace ?? own));
  if (found === undefined) return undefined;
  const spec = mapAt(found, 'spec');
  if (found.kind === 'HelmChart') return { chart: spec.chart, version: spec.version };
  // Flux prefers a range to a tag. Beside a digest, a tag shows the version.
  const { semver, tag, digest } = mapAt(spec, 'ref');
  return { chart: spec.url, version: semver ?? tag ?? digest ?? 'latest' };
}

/** Returns notes about settings that change the objects of a chart, but are not values. */
function settings(map: Values, place: Place, keys: readonly string[]): ReadSources['notes'] {
  return elsewhere(map, place, keys).length === 0
    ? []
    : keys.map((key) => CLI_FINDINGS.notMigratedSetting({ place: placeText(inside(place, key)) }));
}

function argoSources(spec: Values, place: Place): ReadSources {
  const several = listAt(spec, 'sources');
  const sources = several.map((source, index) => [source, inside(inside(place, 'sources'), index)] as const);
  const all = several.length > 0 ? sources : [[spec.source, inside(place, 'source')] as const];
  const namespace = mapAt(spec, 'destination').namespace;
  return joinSources(
    all.map(([source, at]) => (isMap(source) ? argoSource(source, at, text(namespace)) : NOTHING_READ)),
  );
}

/** A source with `ref` only provides files, to which other sources refer in `valueFiles`. */
function argoSource(source: Values, place: Place, destination: string | undefined): ReadSources {
  if (source.ref !== undefined && source.chart === undefined && source.path === undefined) return NOTHING_READ;
  const helm = mapAt(source, 'helm');
  const at = inside(place, 'helm');
  const chart = source.chart ?? source.path;
  const inText = valuesInText(helm.values, inside(at, 'values'));
  const inObject = valuesAt(helm.valuesObject, inside(at, 'valuesObject'));
  // Argo CD ignores the text if there is an object.
  const chosen = helm.valuesObject === undefined || helm.valuesObject === null ? inText : inObject;
  const set = withParameters(chosen.values, listAt(helm, 'parameters'), inside(at, 'parameters'));
  const files = mergedLayers(valueFiles(source, helm, at));
  const problems = [...files.problems, ...elsewhere(helm, at, ['fileParameters']), ...chosen.problems, ...set.problems];
  const release = { chart, version: source.targetRevision, namespace: helm.namespace ?? destination };
  const read = { values: mergeValues(files.values, set.values), problems };
  if (place.repository === undefined || source.chart !== undefined) return releaseSource(release, place, read);
  const local = typeof source.path === 'string' ? place.repository.chartAt(source.path) : undefined;
  // A folder without a chart contains manifests.
  return local === undefined ? NOTHING_READ : localRelease(local, release, place, read);
}

/** The files of another source are relative to the root of its repository: `$values/linkerd/values.yaml`. */
function valueFiles(source: Values, helm: Values, place: Place): readonly ReadValues[] {
  if (place.repository === undefined) return fileLayers(helm, 'valueFiles', { place });
  const folder = typeof source.path === 'string' ? place.repository.chartAt(source.path)?.folder : undefined;
  return listAt(helm, 'valueFiles').flatMap((path, index) => {
    const [, ofOther] = /^\$[\w-]+\/(.*)$/.exec(String(path)) ?? [];
    const from = ofOther === undefined && folder !== undefined ? `${folder}/Chart.yaml` : undefined;
    const layers = fileLayers({ valueFiles: [ofOther ?? path] }, 'valueFiles', { place, from });
    return layers.map((layer) =>
      layer.problems.length === 0 ? layer : refused(...elsewhere(helm, place, ['valueFiles']).slice(index, index + 1)),
    );
  });
}

function k3sChart(object: Values, place: Place): ReadSources {
  const spec = mapAt(object, 'spec');
  const at = inside(place, 'spec');
  const metadata = mapAt(object, 'metadata');
  const inText = valuesInText(spec.valuesContent, inside(at, 'valuesContent'));
  const inObject = valuesAt(spec.values, inside(at, 'values'));
  const set = mapAt(spec, 'set');
  const parameters = Object.entries(set).map(([name, value]) => ({ name, value: value ?? null }));
  const merged = withParameters(mergeValues(inText.values, inObject.values), parameters, inside(at, 'set'));
  const problems = [
    ...elsewhere(spec, at, ['valuesSecrets', 'chartContent']),
    ...inText.problems,
    ...inObject.problems,
    ...merged.problems,
  ];
  const chart = text(spec.chart) ?? [metadata.name].find(chartIn);
  const release = { chart, version: spec.version, namespace: spec.targetNamespace };
  return releaseSource(release, at, { values: merged.values, problems });
}

/** A HelmChartConfig has the name of a HelmChart, and overrides its values. */
function k3sConfig(object: Values, place: Place): ReadSources {
  const read = k3sChart(object, place);
  return { ...read, sources: read.sources.map((source) => ({ ...source, isOverlay: true })) };
}

/** The ConfigMap of the control plane contains all values, including the chart's defaults. */
function installedValues(object: Values, place: Place): ReadSources {
  const { name, namespace } = mapAt(object, 'metadata');
  const { values } = mapAt(object, 'data');
  if (name !== 'linkerd-config' || values === undefined) return NOTHING_READ;
  const at = inside(inside(place, 'data'), 'values');
  const read = valuesInText(values, at);
  return releaseSource({ chart: 'linkerd-control-plane', namespace }, at, {
    ...read,
    values: withoutVersions(read.values),
  });
}

/** Removes versions of images, which the CLI sets to its own version, and empty strings, which are defaults. */
function withoutVersions(values: Values): Values {
  const { linkerdVersion } = values;
  const without = (of: Values): Values =>
    Object.fromEntries(
      Object.entries(of).flatMap(([key, value]): readonly (readonly [string, Values[string]])[] => {
        if (isMap(value)) return [[key, without(value)]];
        const isUsual = value === '' || (value === linkerdVersion && /version$/i.test(key));
        return isUsual && key !== 'linkerdVersion' ? [] : [[key, value]];
      }),
    );
  return without(values);
}

function inflation(chart: Values, place: Place): ReadSources {
  const { name, version, namespace } = chart;
  return releaseSource({ chart: name, version, namespace }, place, inflationValues(chart, place));
}

/** Returns the values that a kustomization gives a chart: inline values over files, by default. */
export function inflationValues(chart: Values, place: Place): ReadValues {
  const from = fileOf(place);
  const named = {
    valuesFiles: [chart.valuesFile, ...listAt(chart, 'additionalValuesFiles')].filter((path) => path !== undefined),
  };
  const files = fileLayers(named as Values, 'valuesFiles', { place, from });
  const own = valuesAt(chart.valuesInline, inside(place, 'valuesInline'));
  if (chart.valuesMerge === 'replace') return own;
  return mergedLayers(chart.valuesMerge === 'merge' ? [own, ...files] : [...files, own]);
}
