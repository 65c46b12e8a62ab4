/**
 * The registries that replace those of images: one prefix for all images, or one prefix for each registry, by its host.
 * Images of other registries are unchanged.
 */
export type ImageMirror = string | Readonly<Record<string, string>>;

const DOCKER_HUB = 'docker.io';

/** Returns the name of an image in a mirror, with or without tag and digest. */
export function mirroredImage(image: string, mirror: ImageMirror): string {
  return mirrored(image, fullPartsOf(image), mirror);
}

/** Returns the name of an image with its registry, as nodes resolve it: `prom/prometheus` is in `docker.io`. */
export function inFull(image: string): string {
  const { host, path } = fullPartsOf(image);
  return `${host}/${path}`;
}

function fullPartsOf(image: string): ImageParts {
  const { host, path } = partsOf(image);
  return { host, path: host === DOCKER_HUB && !path.includes('/') ? `library/${path}` : path };
}

/** Returns the mirror's name for a prefix of image names, such as `quay.io/jetstack` or `prom`. */
export function mirroredPrefix(prefix: string, mirror: ImageMirror): string {
  const isHost = !prefix.includes('/') && looksLikeHost(prefix);
  return mirrored(prefix, isHost ? { host: prefix, path: '' } : partsOf(prefix), mirror);
}

interface ImageParts {
  readonly host: string;
  readonly path: string;
}

function mirrored(name: string, { host, path }: ImageParts, mirror: ImageMirror): string {
  const to = typeof mirror === 'string' ? mirror : Object.hasOwn(mirror, host) ? mirror[host] : undefined;
  if (to === undefined || isBelow(name, mirror)) return name;
  return path === '' ? to : `${to}/${path}`;
}

/** Whether a name is already in the mirror. */
export function isBelow(name: string, mirror: ImageMirror): boolean {
  const places = typeof mirror === 'string' ? [mirror] : Object.values(mirror);
  return places.some((place) => name === place || name.startsWith(`${place}/`));
}

/**
 * By the rule of github.com/distribution/reference: a first part without dot, colon or capitals is not a host, except
 * `localhost`.
 */
function partsOf(name: string): ImageParts {
  const slash = name.indexOf('/');
  const first = name.slice(0, slash);
  if (slash === -1 || !looksLikeHost(first)) return { host: DOCKER_HUB, path: name };
  return { host: first === `index.${DOCKER_HUB}` ? DOCKER_HUB : first, path: name.slice(slash + 1) };
}

function looksLikeHost(part: string): boolean {
  return part === 'localhost' || /[.:A-Z]/.test(part);
}
