import { isMap, valueAt } from '#base/values';
import { type LinkerdVersion, RELEASES } from '../../linkerd/releases/known-releases';
import { releaseOf } from '../../linkerd/releases/release';
import type { HelmSource } from './sources/source';

/** Values that contain the release of an image. */
const IMAGE_VERSIONS = [
  'linkerdVersion',
  'controllerImageVersion',
  'proxy.image.version',
  'policyController.image.version',
  'webhook.image.version',
  ...['metricsAPI', 'tap', 'tapInjector', 'dashboard'].map((component) => `${component}.image.tag`),
];

/** Charts of Linkerd 2.14, whose versions are not those of the release. */
const STABLE = 'stable-2.14.10';

/**
 * Returns the release that the images in the values have, or else the versions of the charts; undefined if neither is
 * that of a known release.
 */
export function releaseOfSources(
  sources: readonly Pick<HelmSource, 'chart' | 'values' | 'version'>[],
): LinkerdVersion | undefined {
  const images = sources.flatMap(({ values }) => IMAGE_VERSIONS.map((path) => valueAt(values, path)));
  const named = images.map((version) => RELEASES.find(([known]) => known === version)?.[0]);
  return (
    named.find((version) => version !== undefined) ??
    sources.map(releaseOfChart).find((version) => version !== undefined)
  );
}

/** Of a range, the newest release. */
function releaseOfChart({ chart, version }: Pick<HelmSource, 'chart' | 'version'>): LinkerdVersion | undefined {
  const text = version?.replace(/^[\^~>=v ]+/, '') ?? '';
  const [, year, month, number] = /^20(\d\d)\.(\d+)(?:\.(\d+|[xX*]))?$/.exec(text) ?? [];
  if (year !== undefined) {
    const start = `edge-${year}.${month}.`;
    const isExact = /^\d+$/.test(number ?? '');
    return RELEASES.find(([known]) => (isExact ? known === `${start}${number}` : known.startsWith(start)))?.[0];
  }
  const [stable] = RELEASES.filter(([known]) => known === STABLE);
  if (stable === undefined || chart === undefined || text === '') return undefined;
  const pinned = Object.values(releaseOf(STABLE).charts).find((each) => isMap(each) && each.name === chart);
  const line = String(pinned?.version).replace(/\.\d+$/, '.');
  return text.startsWith(line) ? STABLE : undefined;
}
