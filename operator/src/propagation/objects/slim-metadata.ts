import type { ObjectMeta } from '../../runtime/objects/kube-object';

/** Characters that are kept of a value: more than any that means something has, and others may write what they like. */
const LONGEST_VALUE = 128;

/** Keeps the metadata that is read of objects of all kinds, and the annotations of these names. */
export function slimMetadata(metadata: ObjectMeta, annotationNames: readonly string[] = []): ObjectMeta {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp, deletionTimestamp } = metadata;
  const annotations: Record<string, string> = {};
  for (const key of annotationNames) {
    const value = metadata.annotations?.[key]?.slice(0, LONGEST_VALUE);
    if (value !== undefined) annotations[key] = value;
  }
  const ownerReferences = metadata.ownerReferences?.filter(({ controller }) => controller);
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
