import type { ObjectMeta } from '#controller-runtime/objects/kube-object';

/** Maximum length of a stored value: longer than any meaningful one. Clients may write any length. */
const MAX_VALUE_LENGTH = 128;

/** Maximum lengths of kinds and names. The API server accepts any for owners. */
const MAX_KIND_LENGTH = 63;
const MAX_NAME_LENGTH = 253;

/**
 * Keeps the metadata that is read for all kinds, and the annotations of these names. An owner with an impossibly long
 * name is dropped: otherwise anyone who may create a pod could fill memory and status with it.
 */
export function slimMetadata(metadata: ObjectMeta, annotationNames: readonly string[] = []): ObjectMeta {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp, deletionTimestamp } = metadata;
  const annotations: Record<string, string> = {};
  for (const key of annotationNames) {
    const value = metadata.annotations?.[key]?.slice(0, MAX_VALUE_LENGTH);
    if (value !== undefined) annotations[key] = value;
  }
  const ownerReferences = metadata.ownerReferences?.filter(
    ({ controller, kind, name: owner }) =>
      controller && kind.length <= MAX_KIND_LENGTH && owner.length <= MAX_NAME_LENGTH,
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
