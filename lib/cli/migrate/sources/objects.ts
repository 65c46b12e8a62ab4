import { isMap, mergeValues, type Values } from '#base/values';
import { CLI_FINDINGS } from '../../findings';
import { withParameters } from './parameters';
import {
  chartIn,
  elsewhere,
  inside,
  joinSources,
  listAt,
  mapAt,
  NOTHING_READ,
  type Place,
  placeText,
  type ReadSources,
  releaseSource,
  text,
  valuesAt,
  valuesInText,
} from './source';
import { isReferenced, valuesFrom } from './values-from';

/** Reads an object of Kubernetes by its kind, whatever the version of its group is. */
export function readObject(object: Values, place: Place): ReadSources {
  const { kind } = object;
  const read = readerOf(object);
  if (read !== undefined) return read(object, place);
  if (kind === 'List') return readList(object, place);
  if (isReferenced(object, place.objects ?? [])) return NOTHING_READ;
  const name = text(mapAt(object, 'metadata').name) ?? '';
  return {
    ...NOTHING_READ,
    notes: [CLI_FINDINGS.notMigratedObject({ place: placeText(place), kind: String(kind), name })],
  };
}

/** Whether objects of a kind install charts. */
export function isReleaseKind(type: { readonly apiVersion?: unknown; readonly kind?: unknown }): boolean {
  return readerOf(type) !== undefined;
}

function readerOf({
  apiVersion,
  kind,
}: {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}): Reader | undefined {
  const key = `${String(apiVersion).replace(/\/[^/]*$/, '')}/${kind}`;
  return Object.hasOwn(READERS, key) ? READERS[key] : undefined;
}

type Reader = (object: Values, place: Place) => ReadSources;

const READERS: Readonly<Record<string, Reader>> = {
  'helm.toolkit.fluxcd.io/HelmRelease': fluxRelease,
  'argoproj.io/Application': (object, place) => argoSources(mapAt(object, 'spec'), inside(place, 'spec')),
  'argoproj.io/ApplicationSet': (object, place) => applicationSet(object, { ...place, template: /\{\{/ }),
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
  const at = inside(inside(inside(place, 'spec'), 'template'), 'spec');
  return argoSources(mapAt(mapAt(mapAt(object, 'spec'), 'template'), 'spec'), at);
}

/** A Kustomization of Flux fills in variables. */
function fluxRelease(object: Values, place: Place): ReadSources {
  const spec = mapAt(object, 'spec');
  const at = { ...inside(place, 'spec'), template: /\$\{/ };
  const metadata = mapAt(object, 'metadata');
  const chart = mapAt(mapAt(spec, 'chart'), 'spec');
  // A chartRef names an object, which usually has the name of the chart.
  const named = text(chart.chart) ?? [mapAt(spec, 'chartRef').name, spec.releaseName, metadata.name].find(chartIn);
  const values = valuesAt(spec.values, inside(at, 'values'));
  const from = valuesFrom(object, at);
  const problems = [
    ...from.problems,
    ...elsewhere(chart, inside(inside(at, 'chart'), 'spec'), ['valuesFile', 'valuesFiles']),
    ...values.problems,
  ];
  const release = { chart: named, version: chart.version, namespace: spec.targetNamespace ?? metadata.namespace };
  const read = releaseSource(release, at, { values: mergeValues(from.values, values.values), problems });
  return { ...read, notes: [...read.notes, ...settings(spec, at, ['postRenderers'])] };
}

/** What changes the objects of a chart, and is no value. */
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

/** A source with `ref` only lends files to others, which name them in `valueFiles`. */
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
  const problems = [...elsewhere(helm, at, ['valueFiles', 'fileParameters']), ...chosen.problems, ...set.problems];
  const release = { chart, version: source.targetRevision, namespace: helm.namespace ?? destination };
  return releaseSource(release, place, { values: set.values, problems });
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

/** It has the name of a HelmChart, and overrides its values. */
function k3sConfig(object: Values, place: Place): ReadSources {
  const read = k3sChart(object, place);
  return { ...read, sources: read.sources.map((source) => ({ ...source, isOverlay: true })) };
}
