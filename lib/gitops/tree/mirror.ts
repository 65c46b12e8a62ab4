import type { Problem } from '#base/findings/problem';
import { isImageName } from '#base/image-reference';
import { isObject } from '#base/is-object';
import type { ImageMirror } from '#kubernetes/objects/mirrored-image';
import { FREE, keysOf } from '#kubernetes/options/known-keys';
import { checkUrlCredentials } from '#kubernetes/urls';
import { TREE_FINDINGS } from './findings';

/** Where a cluster without internet access gets charts and images. */
export interface Mirror {
  /**
   * Chart repository that replaces all others, `oci://registry.example.com/charts` or `https://…`. Argo CD downloads
   * the charts that it inflates from this repository, at the same versions, including those of your own `HelmRelease`.
   *
   * @default - the repositories of the charts' publishers
   */
  readonly charts?: string;

  /**
   * Registry of images: a prefix that replaces each registry's host (`registry.example.com/mirror` turns
   * `cr.l5d.io/linkerd/proxy` into `registry.example.com/mirror/linkerd/proxy`), or one for each host,
   * `{ 'cr.l5d.io': 'registry.example.com/l5d' }`; other hosts stay. Docker Hub is `docker.io`, with `library/` before
   * the names of its own images.
   *
   * It is a default: images in values or props stay as written, except in charts that a `HelmRelease` renders at synth.
   * Images of your own workloads, and of charts that Argo CD inflates for a `HelmRelease`, are not changed.
   *
   * @default - the registries of the images' publishers
   */
  readonly images?: ImageMirror;
}

/** The keys of Mirror. */
export const MIRROR = keysOf<Mirror>({ charts: true, images: FREE });

/** Checks the registries of a mirror. */
export function checkMirror(mirror: Mirror | undefined): readonly Problem[] {
  if (mirror === undefined) return [];
  if (!isObject(mirror)) return [noMirror(mirror)];
  const { charts, images }: Mirror = mirror;
  return [...(charts === undefined ? [] : checkCharts(charts)), ...(images === undefined ? [] : checkImages(images))];
}

function checkImages(images: unknown): readonly Problem[] {
  if (!isObject(images)) return checkPlace('mirror.images', images);
  return Object.entries(images).flatMap(([host, place]) => [
    ...checkHost(host),
    ...checkPlace(`mirror.images["${host}"]`, place),
  ]);
}

/** A key that is not the host of an image would have no effect: nodes would keep pulling from the internet. */
function checkHost(host: string): readonly Problem[] {
  const isHost = !host.includes('/') && host !== 'index.docker.io' && isImageName(`${host}/name`);
  if (isHost && /[.:A-Z]|^localhost$/.test(host)) return [];
  return [TREE_FINDINGS.mirrorRefusedHost({ field: 'A registry host in mirror.images', value: JSON.stringify(host) })];
}

function noMirror(mirror: unknown): Problem {
  return TREE_FINDINGS.mirrorRefusedParts({ field: 'mirror', value: JSON.stringify(mirror) });
}

function checkCharts(charts: unknown): readonly Problem[] {
  const credentials = typeof charts === 'string' ? checkUrlCredentials('mirror.charts', charts) : [];
  if (credentials.length > 0) return credentials;
  if (
    typeof charts === 'string' &&
    /^(?:https?|oci):\/\/[^\s/]+(?:\/[^\s?#]*)?$/.test(charts) &&
    !/^oci:.*\/$/.test(charts)
  )
    return [];
  return [TREE_FINDINGS.mirrorRefusedCharts({ field: 'mirror.charts', value: JSON.stringify(charts) })];
}

function checkPlace(field: string, place: unknown): readonly Problem[] {
  if (typeof place === 'string' && isImageName(`${place}/name`) && !place.includes('@')) return [];
  return [TREE_FINDINGS.mirrorRefusedImages({ field, value: JSON.stringify(place) })];
}
