import { isApiError, isRefusal } from '../runtime/client/api-error';
import type { KubeClient } from '../runtime/client/kube-client';
import { DEPLOYMENTS } from '../runtime/objects/built-in-resources';
import type { KubeObject } from '../runtime/objects/kube-object';
import type { Deployment } from './kinds/deployment';
import { type Fence, marksOf, type PropagationAction } from './plan/actions';

/** Options of {@link runActions}. */
export interface ActionOptions {
  readonly signal: AbortSignal;
  /** Asks the API server, not a cache, whether the control plane's ConfigMap holds the configuration of the plan. */
  readonly holdsConfig: (signal: AbortSignal) => Promise<boolean>;
}

/** Receives the outcome of each action. */
export interface RunObserver {
  /** An action was carried out and left the object like this. */
  written(action: PropagationAction, object: KubeObject): void;
  /** The API server, or a policy or webhook there, rejected a restart. */
  refused(id: string, message: string): void;
  /** Somebody else changed the workload, or removed it, since it was observed. */
  overtaken?(id: string): void;
}

/** The outcome of a plan that was carried out. */
export interface RunOutcome {
  /** True if an object was not as observed, so that a new plan is due. */
  readonly isOutdated: boolean;
}

/**
 * Carries out a plan. The plan may be of a process that has lost its lead without knowing: so it asks the API server
 * whether what led to the plan still holds, and then writes only to objects that have not changed since they were
 * observed. Who leads now changes the former before the latter, so that one of the two fails.
 */
export async function runActions(
  client: KubeClient,
  actions: readonly PropagationAction[],
  observer: RunObserver,
  options: ActionOptions,
): Promise<RunOutcome> {
  const [first] = actions;
  if (first === undefined) return { isOutdated: false };
  // The actions of one plan all have the same fence.
  if (!(await holds(first.fence, client, options))) return { isOutdated: true };
  let isOutdated = false;
  for (const action of actions) {
    const result = await write(client, action, options.signal);
    if (result.kind === 'written') observer.written(action, result.object);
    else if (result.kind === 'outdated') {
      isOutdated = true;
      if (action.id !== undefined) observer.overtaken?.(action.id);
    } else observer.refused(action.id ?? action.key, result.message);
  }
  return { isOutdated };
}

async function holds(fence: Fence, client: KubeClient, { signal, holdsConfig }: ActionOptions): Promise<boolean> {
  if (fence.kind === 'config') return holdsConfig(signal);
  const injector = await client.get<Deployment>(DEPLOYMENTS, fence.key, { signal });
  if (injector === undefined) return false;
  const { recorded, annotated } = marksOf(injector);
  return recorded === fence.marks.recorded && annotated === fence.marks.annotated;
}

type Write =
  | { readonly kind: 'written'; readonly object: KubeObject }
  | { readonly kind: 'outdated' }
  | { readonly kind: 'refused'; readonly message: string };

async function write(client: KubeClient, action: PropagationAction, signal: AbortSignal): Promise<Write> {
  const { resource, key, body } = action;
  try {
    return { kind: 'written', object: await client.patch(resource, key, { type: 'merge', body }, { signal }) };
  } catch (error) {
    if (isApiError(error, 404) || isApiError(error, 409)) return { kind: 'outdated' };
    // Quotas, policies and webhooks of others, also those that do not answer (500): one workload's are no reason to leave
    // the rest as they are.
    if (action.id !== undefined && (isRefusal(error) || isApiError(error, 500)))
      return { kind: 'refused', message: error.message };
    throw error;
  }
}
