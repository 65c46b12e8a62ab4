import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { isMap, type Values } from '../../kubernetes/values';
import { stringifyYaml } from '../../kubernetes/yaml';
import { CREATED_BY } from '../annotations';
import type { LinkerdPart } from '../releases/charts';
import { heartbeatTime } from './heartbeat-schedule';
import type { RenderContext } from './render-context';

/** Workloads that the charts restart when RBAC or webhooks change, which their pods do not read. */
const UNCHECKED: Readonly<Partial<Record<LinkerdPart, readonly string[]>>> = {
  controlPlane: ['linkerd-destination'],
  viz: ['metrics-api', 'tap', 'tap-injector'],
  jaeger: ['jaeger-injector'],
};

/**
 * Applies the intended differences of our own renderers to what a chart prints: those that do not depend on the
 * cluster.
 */
export function amend(
  objects: readonly KubernetesObject[],
  { part, linkerdVersion }: { readonly part: LinkerdPart; readonly linkerdVersion: string },
): readonly KubernetesObject[] {
  return objects
    .filter(({ kind }) => part !== 'multicluster' || kind !== 'CustomResourceDefinition')
    .map((object) => {
      const isUnchecked = object.kind === 'Deployment' && UNCHECKED[part]?.includes(object.metadata.name) === true;
      return withAnnotations(object, (key, value) => {
        if (key === CREATED_BY) return createdBy(value, linkerdVersion);
        return key === CHECKSUM && isUnchecked ? undefined : value;
      });
    });
}

/** Returns the tool that creates the objects instead of Helm. Charts without a value for the release print "nil". */
function createdBy(tool: string, linkerdVersion: string): string {
  const [, version] = /^linkerd\/helm (.*)$/.exec(tool) ?? [];
  if (version === undefined) return tool;
  return `cdk8s-linkerd ${version.includes('<nil>') ? linkerdVersion : version}`;
}

const CHECKSUM = 'checksum/config';

/** Returns an annotation's value, or undefined to remove it. */
type Change = (key: string, value: string) => string | undefined;

/** Changes the annotations of an object and of its pods. */
function withAnnotations(object: KubernetesObject, change: Change): KubernetesObject {
  return changedIn(object as unknown as Values, change) as unknown as KubernetesObject;
}

function changedIn(map: Values, change: Change): Values {
  const changed = Object.entries(map).flatMap(([key, value]) => {
    if (!isMap(value)) return [];
    const after = key === 'annotations' ? changedAnnotations(value, change) : changedIn(value, change);
    return after === value ? [] : [[key, after] as const];
  });
  return changed.length === 0 ? map : { ...map, ...Object.fromEntries(changed) };
}

function changedAnnotations(annotations: Values, change: Change): Values {
  const before = Object.entries(annotations);
  const after = before.flatMap(([key, value]) => {
    const changed = typeof value === 'string' ? change(key, value) : value;
    return changed === undefined ? [] : [[key, changed] as const];
  });
  const isSame = after.length === before.length && after.every(([key, value]) => annotations[key] === value);
  return isSame ? annotations : Object.fromEntries(after);
}

/**
 * The schedule with which the control plane is printed: all clusters of a fleet share what does not depend on it, and
 * the chart's own default is the time of the render.
 */
export const MARKED: Values = { heartbeatSchedule: '0 0 * * *' };

/**
 * Sets the cluster's schedule, and the checksum by which the injector restarts when its configuration changes.
 *
 * @param objects of a control plane that was printed with `MARKED`
 */
export function amendControlPlane(
  objects: readonly KubernetesObject[],
  { heartbeatSchedule, clusterDomain }: Values,
  { clusterName }: RenderContext,
): readonly KubernetesObject[] {
  const config = objects.find(isNamed('ConfigMap', 'linkerd-config'));
  const schedule = typeof heartbeatSchedule === 'string' && heartbeatSchedule !== '' ? heartbeatSchedule : undefined;
  const text = configText(config, schedule);
  const { minute, hour } = heartbeatTime(clusterName ?? (typeof clusterDomain === 'string' ? clusterDomain : ''));
  return objects.map((object): KubernetesObject => {
    if (object === config && text !== undefined) {
      return { ...object, data: { ...(object.data as object), values: text } } as KubernetesObject;
    }
    if (isNamed('CronJob', 'linkerd-heartbeat')(object)) {
      const spec = { ...(object.spec as object), schedule: schedule ?? `${minute} ${hour} * * *` };
      return { ...object, spec } as KubernetesObject;
    }
    if (text === undefined || !isNamed('Deployment', 'linkerd-proxy-injector')(object)) return object;
    const checksum = createHash('sha256').update(text).digest('hex');
    return withAnnotations(object, (key, value) => (key === CHECKSUM ? checksum : value));
  });
}

function isNamed(kind: string, name: string): (object: KubernetesObject) => boolean {
  return (object) => object.kind === kind && object.metadata.name === name;
}

/** Returns the configuration with the cluster's schedule, or without one. */
function configText(config: KubernetesObject | undefined, schedule: string | undefined): string | undefined {
  const { values } = (config?.data ?? {}) as { readonly values?: unknown };
  if (typeof values !== 'string') return undefined;
  const line = schedule === undefined ? '' : stringifyYaml({ heartbeatSchedule: schedule });
  return values.replace(/^heartbeatSchedule: .*\n?/m, () => line);
}
