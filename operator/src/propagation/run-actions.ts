import { isApiError, isRefusal } from '#controller-runtime/client/api-error';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import { DEPLOYMENTS } from '#controller-runtime/objects/built-in-resources';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Deployment } from './kinds/deployment';
import { type Fence, marksOf, type PropagationAction } from './plan/actions';

/** Options of {@link runActions}. */
export interface ActionOptions {
  readonly signal: AbortSignal;
  /**
   * Checks with the API server, not a cache, that the control plane's ConfigMap contains the configuration of the plan.
   */
  readonly holdsConfig: (signal: AbortSignal) => Promise<boolean>;
}

/** Receives the outcome of each action. */
export interface RunObserver {
  /** An action was executed, with this object as the result. */
  written(action: PropagationAction, object: KubeObject): void;
  /** The API server, or one of its policies or webhooks, rejected a restart. */
  refused(id: string, message: string): void;
  /** The workload was changed or removed since it was observed. */
  overtaken?(id: string): void;
}

/** The outcome of executing a plan. */
export interface RunOutcome {
  /** True if an object changed since it was observed, so a new plan is needed. */
  readonly isOutdated: boolean;
}

/**
 * Executes a plan. This process may have lost its lead without noticing. So it checks with the API server that the
 * reasons for the plan still hold, and then writes only to objects that have not changed since they were observed. A
 * new leader changes the reasons first and then the objects, so one of the two checks fails.
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
    // Quotas, policies and webhooks, including those that do not answer (500): a refusal for one workload must not stop
    // the others.
    if (action.id !== undefined && (isRefusal(error) || isApiError(error, 500)))
      return { kind: 'refused', message: error.message };
    throw error;
  }
}
