import type { KubeObject, OwnerReference } from '#controller-runtime/objects/kube-object';
import { INJECTED } from '#linkerd/annotation-values';
import { INJECT } from '#linkerd/annotations';
import { CONFIG_ANNOTATION, PROXY_CONTAINER } from '#operator/api/names';
import { annotationOf, type Injection, restartValue } from './injection';
import { slimMetadata } from './slim-metadata';

/** The fields of a pod that are read. */
export interface Pod extends KubeObject {
  readonly spec: {
    readonly containers: readonly { readonly name: string }[];
    readonly initContainers?: readonly { readonly name: string }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Drops fields that are not read: of the containers, only the proxy matters. */
export function slimPod({ apiVersion, kind, metadata, spec, status }: Pod): Pod {
  const isProxy = ({ name }: { readonly name: string }) => name === PROXY_CONTAINER;
  const proxies = [...spec.containers, ...(spec.initContainers ?? [])].filter(isProxy).map(({ name }) => ({ name }));
  const ready = status?.conditions?.filter(({ type }) => type === 'Ready');
  return {
    apiVersion,
    kind,
    metadata: { ...slimMetadata(metadata, [CONFIG_ANNOTATION, INJECT]), labels: metadata.labels },
    spec: { containers: proxies },
    status: { phase: status?.phase, conditions: ready?.map(({ type, status: value }) => ({ type, status: value })) },
  };
}

/** Whether a pod has a proxy, as a container or as a native sidecar. */
export function isInjected({ spec }: Pod): boolean {
  return [...spec.containers, ...(spec.initContainers ?? [])].some(({ name }) => name === PROXY_CONTAINER);
}

/** Whether a pod runs and will continue. Finished pods, such as evicted ones, may remain for long and do not matter. */
export function isAlive({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

/** Whether Services send requests to a pod or, while it terminates, may still do so. */
export function isServing({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
}

/**
 * Whether a pod was injected with this configuration: it was created after all injectors had it, or it was restarted
 * for it. Times are whole seconds, so a pod of the same second counts as older.
 */
export function isFresh({ metadata }: Pod, injection: Injection): boolean {
  const isLater = Date.parse(metadata.creationTimestamp ?? '') > Date.parse(injection.since);
  return isLater || metadata.annotations?.[annotationOf(injection)] === restartValue(injection);
}

/** Whether a namespace or a pod requests a proxy. */
export function asks({ metadata }: KubeObject): boolean {
  return INJECTED.some((mode) => mode === metadata.annotations?.[INJECT]);
}

/** Whether the injector should add a proxy to a pod: the pod's own annotation overrides its namespace's. */
export function asksForProxy(pod: Pod, proxiedNamespaces: ReadonlySet<string>): boolean {
  if (pod.metadata.annotations?.[INJECT] !== undefined) return asks(pod);
  return proxiedNamespaces.has(pod.metadata.namespace ?? '');
}

/** Returns the controller that recreates a deleted pod. */
export function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller);
}
