import { pointer } from '#base/json-pointer';
import type { JsonPatchOperation } from '#controller-runtime/client/kube-client';

/** Annotations, by their keys. */
export type Annotations = Readonly<Record<string, string>>;

const PATH = '/metadata/annotations';

/**
 * Returns the patch that sets annotations of an object, and creates the map if necessary; empty if all of them are
 * already set.
 * @param current absent if the object has no map of annotations
 */
export function annotationPatch(current: Annotations | undefined, wanted: Annotations): readonly JsonPatchOperation[] {
  const changed = Object.entries(wanted).filter(([key, value]) => current?.[key] !== value);
  if (changed.length === 0) return [];
  if (current === undefined) return [{ op: 'add', path: PATH, value: Object.fromEntries(changed) }];
  // In a map, `add` also replaces.
  return changed.map(([key, value]) => ({ op: 'add', path: pointer(PATH, key), value }));
}
