import type { Informer, InformerOptions } from '#controller-runtime/cache/informer';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import { NAMESPACES } from '#controller-runtime/objects/built-in-resources';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { INJECT, MULTUS, PROXY_UID } from '#linkerd/annotations';
import type { NamespaceAnnotations } from './pod-webhook';

/** Milliseconds for reading a namespace that is not in the cache: less than the API server waits for the webhook. */
const LOOK_UP_MS = 1_000;

/** Maximum number of concurrent reads of namespaces: any client may name any namespace, and few are new. */
const MAX_LOOK_UPS = 32;

/** Returns the options of the cache of all namespaces, which keeps only the annotations for attaching pods. */
export function namespaceCache(uidRangeAnnotation: string): InformerOptions<KubeObject> {
  const kept = [MULTUS, INJECT, PROXY_UID, uidRangeAnnotation];
  return {
    resource: NAMESPACES,
    metadataOnly: true,
    transform: ({ apiVersion, kind, metadata }) => {
      const { name, uid, resourceVersion, deletionTimestamp, annotations = {} } = metadata;
      return {
        apiVersion,
        kind,
        metadata: {
          name,
          uid,
          resourceVersion,
          deletionTimestamp,
          annotations: Object.fromEntries(Object.entries(annotations).filter(([key]) => kept.includes(key))),
        },
      };
    },
  };
}

/**
 * Returns the annotations of namespaces: from the cache, or from the API server if a namespace is too new for the
 * cache. Throws an error if both fail, so that the webhook's `failurePolicy` decides about the pod. A pod that should
 * attach, but does not, gets no working proxy.
 */
export function annotationsOf(cache: Informer<KubeObject>, client: KubeClient): NamespaceAnnotations {
  const asking = new Map<string, ReturnType<typeof lookUp>>();
  const lookUpOnce = (namespace: string): ReturnType<typeof lookUp> => {
    const asked = asking.get(namespace);
    if (asked !== undefined) return asked;
    if (asking.size >= MAX_LOOK_UPS) throw new Error('too many namespaces are being looked up');
    const answer = lookUp(namespace, client).finally(() => asking.delete(namespace));
    asking.set(namespace, answer);
    return answer;
  };
  return (namespace) => {
    const known = cache.get(namespace);
    return known ? (known.metadata.annotations ?? {}) : lookUpOnce(namespace);
  };
}

async function lookUp(namespace: string, client: KubeClient): Promise<Readonly<Record<string, string>>> {
  const found = await client.get<KubeObject>(NAMESPACES, namespace, { signal: AbortSignal.timeout(LOOK_UP_MS) });
  return found?.metadata.annotations ?? {};
}
