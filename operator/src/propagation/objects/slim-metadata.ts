import type { ObjectMeta } from '../../runtime/objects/kube-object';

/** Characters that are kept of a value: more than any that means something has, and others may write what they like. */
const LONGEST_VALUE = 128;

/** Characters of the longest kind and of the longest name that there are. The API server lets owners have any. */
const LONGEST_KIND = 63;
const LONGEST_NAME = 253;

/**
 * Keeps the metadata that is read of objects of all kinds, and the annotations of these names. An owner that nobody can be,
 * by the length of its name, is none: whoever may make a pod would have its name kept in memory, and told in a status.
 */
export function slimMetadata(metadata: ObjectMeta, annotationNames: readonly string[] = []): ObjectMeta {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp, deletionTimestamp } = metadata;
  const annotations: Record<string, string> = {};
  for (const key of annotationNames) {
    const value = metadata.annotations?.[key]?.slice(0, LONGEST_VALUE);
    if (value !== undefined) annotations[key] = value;
  }
  const ownerReferences = metadata.ownerReferences?.filter(
    ({ controller, kind, name: owner }) => controller && kind.length <= LONGEST_KIND && owner.length <= LONGEST_NAME,
  );
  return {
    name,
    namespace,
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    deletionTimestamp,
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(ownerReferences !== undefined && ownerReferences.length > 0 && { ownerReferences }),
  };
}
