import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { apiGroup } from '../../../kubernetes/scope';
import { isKnownGroup } from '../../../linkerd/api-groups';

/** Kinds that two of the groups we know have in common. */
const IN_TWO_GROUPS = new Set(['Event', 'HTTPRoute']);

/** Folder of the objects that are about all clusters: those by which Argo CD deploys them. */
export const ARGOCD_FOLDER = 'argocd';

/** Most file systems take names of 255 bytes at most (NAME_MAX of Linux, also of NTFS and APFS). */
export const MAX_FILE_NAME_LENGTH = 255;

/**
 * The file of an object: `<kind>.<name>.yaml`, in lower case. A kind that another group has, too, or may have (because
 * we do not know its group), carries the group: `httproute.policy.linkerd.io.<name>.yaml`. The name depends on nothing
 * but the object, so that other objects never rename its file.
 */
export function objectFileName({ apiVersion, kind, metadata }: KubernetesObject): string {
  const group = apiGroup(apiVersion);
  const carriesGroup = !isKnownGroup(group) || IN_TWO_GROUPS.has(kind);
  const type = carriesGroup && group !== '' ? `${kind}.${group}` : kind;
  return `${type.toLowerCase()}.${portable(metadata.name)}.yaml`;
}

/**
 * RBAC objects may have names that file systems refuse or fold (`system:Node`). A colon, which is frequent, becomes an
 * underscore; every other character that is not plain becomes `=` and its UTF-8 bytes in hexadecimal. Two names never
 * get one file name, also where case does not count.
 */
function portable(name: string): string {
  return name.replace(/:|[^a-z0-9.-]/gu, (character) => {
    if (character === ':') return '_';
    return [...Buffer.from(character)].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join('');
  });
}
