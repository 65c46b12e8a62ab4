/** A reference to an image, in the parts that rules check. */
export interface ImageReference {
  readonly tag?: string;
  readonly digest?: string;
}

const HOST_PART = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const REGISTRY = `(?:${HOST_PART}(?:\\.${HOST_PART})*|\\[[A-Fa-f0-9:]+\\])(?::[0-9]+)?`;
const PATH_PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const PATH = `${PATH_PART}(?:/${PATH_PART})*`;

/** The names that kubelets accept, by the grammar of github.com/distribution/reference: a registry and a path. */
const NAME = new RegExp(`^(?:${REGISTRY}/)?(?<path>${PATH})$`);
const TAG = /^\w[\w.-]{0,127}$/;

/** Digests of the algorithms that kubelets support, with their number of digits. */
const DIGEST = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;

/** The id of an image: kubelets refuse a name that looks like one. */
const IMAGE_ID = /^[a-f0-9]{64}$/;

const MAX_PATH_LENGTH = 255;

/** Parses a reference to an image as kubelets do before they pull it; undefined if they report InvalidImageName. */
export function imageReferenceOf(text: string): ImageReference | undefined {
  if (IMAGE_ID.test(text)) return undefined;
  const at = text.indexOf('@');
  const digest = at === -1 ? undefined : text.slice(at + 1);
  const named = at === -1 ? text : text.slice(0, at);
  // A colon before the last slash belongs to the registry's port or address.
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1);
  const tag = colon === -1 ? undefined : named.slice(colon + 1);
  const name = colon === -1 ? named : named.slice(0, colon);
  if (!isImageName(name)) return undefined;
  if (tag !== undefined && !isImageTag(tag)) return undefined;
  if (digest !== undefined && !DIGEST.test(digest)) return undefined;
  return { ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) };
}

/** Whether a string names an image, with or without its registry, and without tag and digest. */
export function isImageName(text: string): boolean {
  const path = NAME.exec(qualified(text))?.groups?.path;
  return path !== undefined && path.length <= MAX_PATH_LENGTH;
}

/** Whether a string can be the tag of an image. */
export function isImageTag(text: string): boolean {
  return TAG.test(text);
}

const DOCKER_HUB = 'docker.io';

function qualified(name: string): string {
  const slash = name.indexOf('/');
  const [first, rest] = [name.slice(0, slash), name.slice(slash + 1)];
  if (slash === -1) return `${DOCKER_HUB}/library/${name}`;
  if (first === DOCKER_HUB || first === `index.${DOCKER_HUB}`) return `${DOCKER_HUB}/${withLibrary(rest)}`;
  if (first === 'localhost' || /[.:A-Z]/.test(first)) return name;
  return `${DOCKER_HUB}/${name}`;
}

function withLibrary(path: string): string {
  return path.includes('/') ? path : `library/${path}`;
}
