import type { Construct } from 'constructs';
import { isMap, mergeValues, type Value, type Values } from '#base/values';
import { type ImageMirror, mirroredImage, mirroredPrefix } from '#kubernetes/objects/mirrored-image';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import type { PinnedChart } from '#linkerd/charts/pinned-chart';
import { chartImages } from '#linkerd/releases/cert-manager';
import { Cluster } from '../tree/cluster';

/**
 * Returns the values of a chart that name images and registries, with the cluster's mirror. Linkerd's charts write an
 * image as a map `image` of `name` and optionally `registry`, as a string under a key that ends in `Image`, and the
 * common registry as `defaultRegistry`.
 */
export function mirroredValues(scope: Construct, defaults: Values): Values {
  const images = Cluster.find(scope)?.mirror?.images;
  return images === undefined ? {} : deepFreeze(inMap(defaults, images, ''));
}

/**
 * Returns the values with which third-party charts, cert-manager's and trust-manager's, pull their images from the
 * mirror.
 */
export function mirroredImages(scope: Construct, { name, version }: Pick<PinnedChart, 'name' | 'version'>): Values {
  const images = Cluster.find(scope)?.mirror?.images;
  const known = images === undefined ? [] : (chartImages(name, version) ?? []);
  return known.reduce<Values>((values, image) => {
    const repository = mirroredImage(image.name, images ?? {});
    return repository === image.name ? values : mergeValues(values, at(image.at.split('.'), { repository }));
  }, {});
}

function at([key = '', ...below]: readonly string[], values: Values): Values {
  return { [key]: below.length === 0 ? values : at(below, values) };
}

function inMap(values: Values, mirror: ImageMirror, key: string): Values {
  const image = key === 'image' ? imageIn(values, mirror) : {};
  const members = Object.entries(values).flatMap(([name, value]) => {
    const changed = inValue(name, value, mirror);
    return changed === undefined ? [] : [[name, changed] as const];
  });
  return { ...Object.fromEntries(members), ...image };
}

function inValue(key: string, value: Value | undefined, mirror: ImageMirror): Value | undefined {
  if (isMap(value)) {
    const below = inMap(value, mirror, key);
    return Object.keys(below).length === 0 ? undefined : below;
  }
  if (typeof value !== 'string' || value === '') return undefined;
  const changed = changedText(key, value, mirror);
  return changed === value ? undefined : changed;
}

function changedText(key: string, text: string, mirror: ImageMirror): string {
  if (key === 'defaultRegistry') return mirroredPrefix(text, mirror);
  return key.endsWith('Image') ? mirroredImage(text, mirror) : text;
}

/** An image has its registry in `registry`, in the common `defaultRegistry`, or in its name. */
function imageIn({ registry, name }: Values, mirror: ImageMirror): Values {
  if (registry === '' || registry === null) return {};
  if (typeof registry === 'string') return { registry: mirroredPrefix(registry, mirror) };
  return typeof name === 'string' ? { name: mirroredImage(name, mirror) } : {};
}
