import { DEPLOYMENTS } from '#controller-runtime/objects/built-in-resources';
import { objectKey } from '#controller-runtime/objects/kube-object';
import type { Resource } from '#controller-runtime/objects/resource';
import { INJECTION_ANNOTATION } from '#operator/api/names';
import type { Deployment } from '../kinds/deployment';
import { annotateTemplate, configOf } from '../kinds/pod-template';
import { rulesOf, type Workload } from '../kinds/workload';
import { type Injection, parseRestartValue, restartValue } from '../objects/injection';
import { injectorMark } from '../objects/injector-mark';

/** A fact that must still hold right before an action. */
export type Fence =
  /** The facts of the plan hold, such as the configuration in the control plane's ConfigMap. */
  | { readonly kind: 'config' }
  /** The injector has the same marks as when this was planned. */
  | { readonly kind: 'injector'; readonly key: string; readonly marks: InjectorMarks };

const SUPERSEDED = 'superseded';

/** One write. It is made only if the object has not changed since it was observed. */
export interface PropagationAction {
  readonly fence: Fence;
  readonly resource: Resource;
  readonly key: string;
  /** The workload's id, for logs and Events; absent for the injector. */
  readonly id?: string;
  /** A merge patch. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The operator's annotations on the injector. */
export interface InjectorMarks {
  readonly recorded?: string;
  readonly annotated?: string;
}

/** Reads the operator's annotations on an injector. */
export function marksOf(injector: Deployment): InjectorMarks {
  return { recorded: injector.metadata.annotations?.[INJECTION_ANNOTATION], annotated: configOf(injector) };
}

/**
 * Restarts the injector. Its record becomes invalid; only the time remains. The template gets a value that it never
 * had: a return to an older template would keep injectors that have seen a later configuration.
 */
export function restartInjector(injector: Deployment, configHash: string): PropagationAction {
  const recorded = parseRestartValue(marksOf(injector).recorded);
  const annotations = {
    [INJECTION_ANNOTATION]: recorded ? restartValue({ ...recorded, configHash: SUPERSEDED }) : null,
  };
  const restart = annotateTemplate(injectorMark(configHash, injector.metadata.generation ?? 0));
  return onInjector(injector, { metadata: { annotations }, spec: restart });
}

/** Records that every injector has the configuration. */
export function recordInjection(injector: Deployment, injection: Injection): PropagationAction {
  return onInjector(injector, { metadata: { annotations: { [INJECTION_ANNOTATION]: restartValue(injection) } } });
}

function onInjector(
  injector: Deployment,
  body: { readonly metadata: object; readonly spec?: object },
): PropagationAction {
  const metadata = { ...body.metadata, resourceVersion: injector.metadata.resourceVersion };
  return {
    fence: { kind: 'config' },
    resource: DEPLOYMENTS,
    key: objectKey(injector),
    body: { ...body, metadata },
  };
}

/** Returns the fence for actions that are valid while the marks of the injector are unchanged. */
export function injectorFence(injector: Deployment): Fence {
  return { kind: 'injector', key: objectKey(injector), marks: marksOf(injector) };
}

/** Returns the action that restarts a workload. */
export function restartWorkload(
  target: { readonly id: string; readonly workload: Workload },
  injection: Injection,
  fence: Fence,
): PropagationAction {
  const rules = rulesOf(target.workload);
  return {
    fence,
    resource: rules.resource,
    key: objectKey(target.workload),
    id: target.id,
    body: {
      metadata: { resourceVersion: target.workload.metadata.resourceVersion },
      spec: rules.restart(injection),
    },
  };
}
