import type { KubeObject } from './kube-object';

/** Whether the controller has observed the last change of the spec, so that its status applies to it. */
export function isObserved({ metadata, status }: KubeObject & { status?: { observedGeneration?: number } }): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
}

/** What a rollout waits for until its last change is observed. */
export const UNOBSERVED = 'its controller has observed the change';
