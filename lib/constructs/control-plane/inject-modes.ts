import type { IConstruct } from 'constructs';
import { objectsAround } from '../../gitops/tree/api-objects';
import type { Problem } from '../../kubernetes/findings/problem';
import { describeObject, type KubernetesObject } from '../../kubernetes/kubernetes-object';
import { suggest } from '../../kubernetes/suggest';
import { isMap } from '../../kubernetes/values';
import { INJECT, type InjectMode } from '../../linkerd/annotations';
import { CONTROL_PLANE_FINDINGS } from './findings';

const MODES: readonly InjectMode[] = ['enabled', 'disabled', 'ingress'];

/** Kinds whose annotations, or those of their pod templates, the proxy injector reads. */
const INJECTED = new Set([
  'CronJob',
  'DaemonSet',
  'Deployment',
  'Job',
  'Namespace',
  'Pod',
  'ReplicaSet',
  'Rollout',
  'StatefulSet',
]);

/** Reports where objects of the chart of `scope` ask the injector for something that it does not know. */
export function checkInjectModesAround(scope: IConstruct): readonly Problem[] {
  return (
    objectsAround(scope)
      // What is rendered for a chart is known to be right.
      .filter(({ kind, isRendered }) => INJECTED.has(kind) && !isRendered)
      .flatMap(({ json }) => json())
      .flatMap(checkInjectModes)
  );
}

/**
 * Reports what of an object's annotations the injector does not know
 * (https://linkerd.io/2-edge/features/proxy-injection/). An empty value is none.
 */
export function checkInjectModes(object: KubernetesObject): readonly Problem[] {
  return modesIn(object)
    .filter((mode) => mode !== '' && !MODES.some((known) => known === mode))
    .map((mode) =>
      CONTROL_PLANE_FINDINGS.controlPlaneValueRefusedInjectMode({
        object: describeObject(object),
        annotation: INJECT,
        mode: String(JSON.stringify(mode)),
        known: MODES.join(', '),
        proposed: suggest(`${mode}`, MODES)[0] ?? MODES.join(' or '),
      }),
    );
}

function modesIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(modesIn);
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'annotations' && isMap(item) && item[INJECT] !== undefined ? [item[INJECT]] : modesIn(item),
  );
}
