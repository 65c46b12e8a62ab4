import { differentMembers, isSameValue } from '#base/same-value';
import { type Value, type Values, valueAt } from '#base/values';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { requestsProxy } from '#lib/checks/policy/pod-sets';
import { RECONCILE_AUTO } from '#linkerd/annotation-values';
import { ADMISSION_WEBHOOKS, CNI_RESOURCE, EXTENSION, INJECT, IS_CONTROL_PLANE, RECONCILE } from '#linkerd/annotations';
import { componentValues } from '#operator/api/component-values';
import { isMeshConfig } from '../../compare/object-changes';
import { pathText } from '../../compare/value-changes';
import type { ChangedPair } from '../changes';
import { type Consequence, consequence } from './catalogue';
import type { ComparedCluster } from './compared';
import { isInjected, isWorkload, podMetadata, podTemplateOf } from './workloads';

/**
 * Returns the consequences for pods: restarts, other numbers of replicas, outdated proxy configuration, and changed
 * injection.
 */
export function ofWorkloads(cluster: ComparedCluster): readonly Consequence[] {
  return [
    ...cluster.changes.changed.flatMap((pair) => [...restart(pair), ...scale(pair), ...ofNamespace(pair)]),
    ...cluster.changes.added.filter(isMeshedAnew).map(meshed),
    ...[...cluster.changes.changed, ...newConfigs(cluster)].flatMap((pair) => ofMeshValues(pair, cluster)),
  ];
}

/** A namespace that is new in the output may already exist in the cluster, except the namespaces of Linkerd. */
function isMeshedAnew(object: KubernetesObject): boolean {
  const { apiVersion, kind, metadata } = object;
  const ofLinkerd = [EXTENSION, IS_CONTROL_PLANE, CNI_RESOURCE].some((label) => metadata.labels?.[label] !== undefined);
  return apiVersion === 'v1' && kind === 'Namespace' && !ofLinkerd && requestsProxy(injectionOf(object));
}

function meshed(namespace: KubernetesObject): Consequence {
  const before = injectionOf({ ...namespace, metadata: { name: namespace.metadata.name } });
  return consequence({
    code: 'injection-changed',
    object: describeObject(namespace),
    before,
    after: injectionOf(namespace),
  });
}

function restart({ before, after }: ChangedPair): readonly Consequence[] {
  if (!isWorkload(after) || isSameValue(podTemplateOf(before), podTemplateOf(after))) return [];
  const how = howOf(after);
  const severity = how === 'next-run' ? 'info' : 'warning';
  return [consequence({ code: 'workload-restarts', object: describeObject(after), how }, severity)];
}

/** The template of a Job is immutable; `ofSync` reports that Argo CD recreates the Job. */
function howOf(workload: KubernetesObject): Extract<Consequence, { code: 'workload-restarts' }>['how'] {
  const type = at(workload, 'spec.updateStrategy.type');
  if (workload.kind === 'CronJob' || workload.kind === 'Job') return 'next-run';
  if (at(workload, 'spec.paused') === true) return 'when-resumed';
  if (workload.kind === 'ReplicaSet' || type === 'OnDelete') return 'by-hand';
  return at(workload, 'spec.strategy.type') === 'Recreate' ? 'at-once' : 'rolling';
}

function isReplaced(pair: ChangedPair): boolean {
  return restart(pair).some((one) => 'how' in one && (one.how === 'rolling' || one.how === 'at-once'));
}

function scale({ before, after }: ChangedPair): readonly Consequence[] {
  if (!isWorkload(after)) return [];
  const [old, next] = [before, after].map((workload) => replicasOf(workload));
  if (old === next || old === undefined || next === undefined) return [];
  const severity = next === 0 ? 'warning' : 'info';
  return [consequence({ code: 'workload-scaled', object: describeObject(after), before: old, after: next }, severity)];
}

/** Returns null if another controller, such as an autoscaler, sets the number. */
function replicasOf(workload: KubernetesObject): number | null {
  const replicas = at(workload, 'spec.replicas');
  return typeof replicas === 'number' ? replicas : null;
}

const POD_SECURITY = /^pod-security\.kubernetes\.io\/(enforce|audit|warn)$/;

/** Injection and pod security apply only to pods that are created after the change. */
function ofNamespace({ before, after }: ChangedPair): readonly Consequence[] {
  if (after.kind !== 'Namespace') return [];
  const object = describeObject(after);
  const [old, next] = [injectionOf(before), injectionOf(after)];
  const labels = { ...before.metadata.labels, ...after.metadata.labels };
  return [
    ...(old === next
      ? []
      : [
          consequence(
            { code: 'injection-changed', object, before: old, after: next },
            requestsProxy(next) ? 'warning' : 'breaks-traffic',
          ),
        ]),
    ...Object.keys(labels).flatMap((label): readonly Consequence[] => {
      const [, mode] = POD_SECURITY.exec(label) ?? [];
      const [was, is] = [before, after].map(({ metadata }) => metadata.labels?.[label] ?? 'none');
      if (mode === undefined || was === undefined || is === undefined || was === is) return [];
      const severity = mode === 'enforce' ? 'warning' : 'info';
      return [consequence({ code: 'pod-security-changed', object, mode, before: was, after: is }, severity)];
    }),
  ];
}

function injectionOf({ metadata: { annotations = {}, labels = {} } }: KubernetesObject): string {
  if (labels[ADMISSION_WEBHOOKS] === 'disabled') return 'kept out of the webhooks';
  return annotations[INJECT] ?? 'disabled';
}

/** Pairs each new LinkerdConfig with an empty one. A removed LinkerdConfig leaves the values unchanged. */
function newConfigs({ changes }: ComparedCluster): readonly ChangedPair[] {
  const configs = changes.added.filter(({ kind }) => kind === 'LinkerdConfig');
  return configs.map((after) => ({ before: { ...after, spec: {} }, after, fields: [] }));
}

function ofMeshValues(pair: ChangedPair, { changes, contents, objects }: ComparedCluster): readonly Consequence[] {
  const { before, after } = pair;
  const values = isMeshConfig(after) ? configPaths(pair) : specPaths(before, after);
  const passed = componentValues(contents.after.installed?.releases.controlPlane);
  const ofProxies = values.filter((path) => !passed.some((one) => path === one || path.startsWith(`${one}.`)));
  if (ofProxies.length === 0) return [];
  const isOperated = contents.after.hasConfig;
  const meshed = objects().filter((object) => isRestarted(object) && isInjected(object, contents.after.injected));
  const restarting = new Set(changes.changed.filter(isReplaced).map(({ after }) => describeObject(after)));
  const asks = (object: KubernetesObject) => isOperated && podMetadata(object, 'labels')[RECONCILE] === RECONCILE_AUTO;
  return [
    consequence({
      code: 'proxy-configuration-changed',
      values: ofProxies,
      operator: isOperated,
      restarted: meshed.filter(asks).map(describeObject),
      kept: meshed
        .filter((object) => !asks(object))
        .map(describeObject)
        .filter((name) => !restarting.has(name)),
    }),
  ];
}

function configPaths({ fields }: ChangedPair): readonly string[] {
  return fields
    .filter(({ path: [data, key] }) => data === 'data' && key === 'values')
    .flatMap(({ op, within }) => (op === 'reworded' ? [] : [within === undefined ? '*' : pathText(within)]));
}

function specPaths(before: KubernetesObject, after: KubernetesObject): readonly string[] {
  if (after.kind !== 'LinkerdConfig') return [];
  return differentMembers(at(before, 'spec.values'), at(after, 'spec.values'));
}

function isRestarted({ apiVersion, kind }: KubernetesObject): boolean {
  return isWorkload({ apiVersion, kind } as KubernetesObject) && !['CronJob', 'Job', 'ReplicaSet'].includes(kind);
}

function at(object: KubernetesObject, path: string): Value | undefined {
  return valueAt(object as unknown as Values, path);
}
