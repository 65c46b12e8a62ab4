import type { Problem } from '#base/findings/problem';
import { isMap, type Values } from '#base/values';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import { lineOf } from '#linkerd/releases/lines';

/** The release that a tag names; its suffix, such as that of another base image, is not a part of it. */
const RELEASE = /^(?:(?:edge|stable|enterprise|preview)-\d+(?:\.\d+)*)/;

/** Returns the release of Linkerd that the tag of an image names; undefined for tags of other forms. */
function releaseInTag(tag: unknown): string | undefined {
  return typeof tag === 'string' ? RELEASE.exec(tag)?.[0] : undefined;
}

/**
 * Reports a tag of another release than the control plane's. It is a warning in the same minor version, where one image
 * may contain a fix.
 */
export function checkTagRelease(component: string, tag: unknown, own: string): readonly Problem[] {
  const other = releaseInTag(tag);
  if (other === undefined || other === releaseInTag(own) || tag === own) return [];
  const found = [{ component, other: `${tag}`, own }, { about: component }] as const;
  return [
    isOfSameLine(other, own)
      ? LINKERD_FINDINGS.imageReleaseDiffers(...found)
      : LINKERD_FINDINGS.componentReleaseDiffersImage(...found),
  ];
}

function isOfSameLine(one: string, other: string): boolean {
  const line = lineOf(one);
  return line !== undefined && line === lineOf(other);
}

/**
 * Reports images of another release than the chart's in values: `controllerImageVersion`, `proxy.image.version`,
 * `tap.image.tag`.
 *
 * @param own - release of the chart
 */
export function checkImageReleases(values: Values, own: string): readonly Problem[] {
  return tagsIn(values, 'values').flatMap(([path, tag]) => checkTagRelease(path, tag, own));
}

const TAGS: readonly string[] = ['version', 'tag'];

function tagsIn(values: Values, path: string): readonly (readonly [path: string, tag: unknown])[] {
  return Object.entries(values).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    const at = `${path}.${key}`;
    if (isMap(value)) return tagsIn(value, at);
    const isTag = TAGS.includes(key) ? /image$/i.test(path) : /ImageVersion$/.test(key);
    return isTag ? [[at, value]] : [];
  });
}
