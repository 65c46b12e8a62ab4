import { INJECT, MULTUS, PROXY_UID } from '../../api/multus/annotations';
import type { Informer, InformerOptions } from '../runtime/cache/informer';
import type { KubeClient } from '../runtime/client/kube-client';
import { NAMESPACES } from '../runtime/objects/built-in-resources';
import type { KubeObject } from '../runtime/objects/kube-object';
import type { NamespaceAnnotations } from './pod-webhook';

/** Milliseconds that the API server may take to tell of a namespace that the cache lacks: less than it waits for us. */
const LOOK_UP_MS = 1_000;

/** Namespaces that the API server is asked for at a time: strangers may name any, and there are not so many new ones. */
const MOST_LOOK_UPS = 32;

/** The cache of all namespaces, which keeps only the annotations that say how pods attach. */
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
 * The annotations of namespaces: from the cache, or from the API server when a namespace is so new that the cache does
 * not hold it. That fails rather than guess, so that the webhook's `failurePolicy` decides what becomes of the pod: one
 * that should attach and does not has no working proxy.
 */
export function annotationsOf(cache: Informer<KubeObject>, client: KubeClient): NamespaceAnnotations {
  const asking = new Map<string, ReturnType<typeof lookUp>>();
  const lookUpOnce = (namespace: string): ReturnType<typeof lookUp> => {
    const asked = asking.get(namespace);
    if (asked !== undefined) return asked;
    if (asking.size >= MOST_LOOK_UPS) throw new Error('too many namespaces are being looked up');
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
