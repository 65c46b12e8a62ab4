import { isMap, type Value, type Values, valueAt } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { requestsProxy } from '#lib/checks/policy/pod-sets';
import { INJECT } from '#linkerd/annotations';

const WORKLOADS: Readonly<Record<string, readonly string[]>> = {
  apps: ['DaemonSet', 'Deployment', 'StatefulSet', 'ReplicaSet'],
  'argoproj.io': ['Rollout'],
  batch: ['CronJob', 'Job'],
};

/** Whether an object has a pod template. */
export function isWorkload({ apiVersion, kind }: KubernetesObject): boolean {
  return WORKLOADS[apiGroup(apiVersion)]?.includes(kind) ?? false;
}

/** Whether the injector adds a proxy to a workload's pods. */
export function isInjected(object: KubernetesObject, injected: readonly string[]): boolean {
  const own = podMetadata(object, 'annotations')[INJECT];
  if (own !== undefined) return requestsProxy(own);
  if (hasProxy(object)) return false;
  return injected.includes(object.metadata.namespace ?? '');
}

/** Whether a workload's manifest contains a proxy, as the manifests of the control plane do. */
export function hasProxy(workload: KubernetesObject): boolean {
  const template = podTemplateOf(workload);
  const spec = isMap(template) && isMap(template.spec) ? template.spec : {};
  const containers = [spec.containers, spec.initContainers].flatMap((list) => (Array.isArray(list) ? list : []));
  return containers.some((container) => isMap(container) && container.name === 'linkerd-proxy');
}

/** Returns the template of a workload's pods. */
export function podTemplateOf(workload: KubernetesObject): Value | undefined {
  return valueAt(
    workload as unknown as Values,
    workload.kind === 'CronJob' ? 'spec.jobTemplate.spec.template' : 'spec.template',
  );
}

/** Returns the labels or annotations of a workload's pods. */
export function podMetadata(
  workload: KubernetesObject,
  member: 'labels' | 'annotations',
): Readonly<Record<string, Value | undefined>> {
  const template = podTemplateOf(workload);
  const metadata = isMap(template) ? template.metadata : undefined;
  const found = isMap(metadata) ? metadata[member] : undefined;
  return isMap(found) ? found : {};
}
