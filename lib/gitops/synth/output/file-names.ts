import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { isKnownGroup } from '#linkerd/api-groups';

const IN_TWO_GROUPS = new Set(['Event', 'HTTPRoute']);

/** Folder of the Argo CD objects, which deploy all clusters. */
export const ARGOCD_FOLDER = 'argocd';

/** Most file systems limit names to 255 bytes (NAME_MAX of Linux, also of NTFS and APFS). */
export const MAX_FILE_NAME_LENGTH = 255;

/**
 * Returns the file of an object: `<kind>.<name>.yaml`, in lower case. If another group has the same kind, or may have
 * it (for an unknown group), the name contains the group: `httproute.policy.linkerd.io.<name>.yaml`. The name depends
 * only on the object, so that other objects never rename its file.
 */
export function objectFileName({ apiVersion, kind, metadata }: KubernetesObject): string {
  const group = apiGroup(apiVersion);
  const carriesGroup = !isKnownGroup(group) || IN_TWO_GROUPS.has(kind);
  const type = carriesGroup && group !== '' ? `${kind}.${group}` : kind;
  return `${type.toLowerCase()}.${portable(metadata.name)}.yaml`;
}

/**
 * Returns a portable file name. RBAC objects may have names that file systems refuse or fold (`system:Node`). A colon,
 * which is frequent, becomes an underscore; every other special character becomes `=` and its UTF-8 bytes in
 * hexadecimal. Different names never get the same file name, even where case is ignored.
 */
function portable(name: string): string {
  return name.replace(/:|[^a-z0-9.-]/gu, (character) => {
    if (character === ':') return '_';
    return [...Buffer.from(character)].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join('');
  });
}
