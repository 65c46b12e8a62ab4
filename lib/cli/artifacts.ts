import { fieldPath, selectFields, textIn } from '#base/select-fields';
import { type Values, valueAt } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { inFull, isBelow } from '#kubernetes/objects/mirrored-image';
import { POD_SPEC } from '#kubernetes/objects/pod-places';
import { apiGroup } from '#kubernetes/objects/scope';
import { chartImages } from '#linkerd/releases/cert-manager';
import { FileReader } from '../gitops/changes/file-contents';
import { INDEX_FILE } from '../gitops/synth/output/cluster-index';
import { clusterFacts, type InflatedChart } from '../review/compare/cluster-contents';
import { meshValues } from '../review/compare/object-changes';
import { clusterFiles, type Output } from '../review/compare/output';
import { chartInflater } from './inflate-chart';
import { text } from './repository/sources/source';

interface ChartArtifact {
  readonly repository: string;
  readonly name: string;
  readonly version: string;
}

/** The images and charts that the clusters of an output pull, without duplicates and sorted by name. */
export interface Artifacts {
  readonly images: readonly string[];
  readonly charts: readonly ChartArtifact[];
  /** The charts with unknown images. */
  readonly unknown: readonly ChartArtifact[];
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
}

/** Returns the charts that the clusters of an output pull, and the images of pods, injected proxies and charts. */
export function artifactsOf(output: Output): Artifacts {
  const reader = new FileReader();
  const inflate = chartInflater();
  const images = new Set<string>();
  const charts = new Map<string, ChartArtifact & { readonly isKnown: boolean }>();
  const unreadable: { path: string; reason: string }[] = [];
  for (const [cluster, texts] of output) {
    const ofCluster = clusterFiles(texts);
    const { damage } = ofCluster.index;
    if (damage !== undefined) unreadable.push({ path: `${cluster}/${INDEX_FILE}`, reason: damage });
    for (const [path, text] of ofCluster.files) {
      const contents = reader.read(path, text);
      if (contents.is === 'unreadable') unreadable.push({ path: `${cluster}/${path}`, reason: contents.reason });
      if (contents.is === 'object') addAll(images, imagesOf(contents.object));
    }
    for (const chart of clusterFacts(ofCluster, reader).charts) {
      const found = imagesOfChart(chart, inflate(chart));
      addAll(images, found ?? []);
      const { repository, name, version } = chart;
      const key = `${repository} ${name} ${version}`;
      // The images are known only if they are known with the values of every cluster.
      const isKnown = found !== undefined && charts.get(key)?.isKnown !== false;
      charts.set(key, { repository, name, version, isKnown });
    }
  }
  const sorted = [...charts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, chart]) => chart);
  return {
    images: [...images].sort(),
    charts: sorted.map(plain),
    unknown: sorted.filter(({ isKnown }) => !isKnown).map(plain),
    unreadable,
  };
}

/** Returns the artifacts that do not come from the given registries, repositories or folders. */
export function outside(
  { images, charts }: Artifacts,
  places: readonly string[],
): Pick<Artifacts, 'images' | 'charts'> {
  const allowed = Object.fromEntries(places.map((place) => [place, place.replace(/\/+$/, '')]));
  return {
    images: images.filter((image) => !isBelow(inFull(image), allowed)),
    charts: charts.filter(({ repository }) => !isBelow(repository.replace(/\/+$/, ''), allowed)),
  };
}

function plain({ repository, name, version }: ChartArtifact): ChartArtifact {
  return { repository, name, version };
}

function addAll(to: Set<string>, images: readonly string[]): void {
  for (const image of images) to.add(image);
}

const CONTAINERS = new Map(
  Object.entries(POD_SPEC).map(([kind, spec]) => [
    kind,
    ['initContainers[]', 'containers[]', 'volumes[].image'].map((list) => fieldPath(`${spec}.${list}`)),
  ]),
);

function imagesOf(object: KubernetesObject): readonly string[] {
  const paths = CONTAINERS.get(`${apiGroup(object.apiVersion)}/${object.kind}`) ?? [];
  const own = paths
    .flatMap((path) => selectFields(object, path))
    .flatMap(({ value }) => textIn(value, 'image') ?? textIn(value, 'reference') ?? []);
  const values = meshValues(object);
  return values === undefined ? own : [...own, ...injectedImages(values)];
}

function injectedImages(values: Values): readonly string[] {
  const parts = valueAt(values, 'cniEnabled') === true ? ['proxy'] : ['proxy', 'proxyInit'];
  return parts.flatMap((part) => {
    const usual = part === 'proxy' ? valueAt(values, 'linkerdVersion') : undefined;
    const name = text(valueAt(values, `${part}.image.name`));
    const version = text(valueAt(values, `${part}.image.version`) || usual);
    return name === undefined || version === undefined ? [] : [`${name}:${version}`];
  });
}

/** Returns images from the rendered objects if there are any, or else from the chart's values; undefined if unknown. */
function imagesOfChart(
  { name, version, values }: InflatedChart,
  rendered: readonly KubernetesObject[] | undefined,
): readonly string[] | undefined {
  if (rendered !== undefined) return rendered.flatMap(imagesOf);
  return chartImages(name, version)
    ?.filter(({ unless }) => unless === undefined || valueAt(values, unless) !== false)
    .map((image) => withOwn(image, values));
}

/** Applies values of images as the charts of cert-manager and trust-manager do. */
function withOwn({ at, name, tag }: { at: string; name: string; tag: string }, values: Values): string {
  const own = (key: string) => text(valueAt(values, `${at}.${key}`)) ?? '';
  const [registry = '', namespace = '', last = ''] = name.split('/');
  const usual = [
    text(values.imageRegistry) ?? registry,
    text(values.imageNamespace) ?? namespace,
    own('name') || last,
  ].join('/');
  const base = own('repository') || usual;
  const prefixed = own('registry') === '' ? base : `${own('registry')}/${base}`;
  const digest = own('digest');
  return `${prefixed}:${own('tag') || tag}${digest === '' ? '' : `@${digest}`}`;
}
