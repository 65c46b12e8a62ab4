import { remembered } from '#base/remembered';
import type { Values } from '#base/values';
import { stringifyYaml } from '#base/yaml-writer';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import type { ClusterVariation } from '../../charts/chart';
import type { RenderContext } from '../../charts/render-context';
import { heartbeatTime } from '../heartbeat-schedule';
import { CHECKSUM, withAnnotations } from '../own-differences';
import { sha256 } from './metadata';

/**
 * The schedule with which the control plane is rendered, so that all clusters of a fleet share the other objects. The
 * chart's own default depends on the time of the render.
 */
export const MARKED: Values = deepFreeze({ heartbeatSchedule: '0 0 * * *' });

/** How the objects of a control plane differ from cluster to cluster: by the schedule of the heartbeat. */
export const SCHEDULE: ClusterVariation = {
  example: MARKED,
  vary: (objects, values, context) => {
    const config = objects.find(isConfig);
    // Any other checksum is an annotation of the user.
    return withSchedule(objects, values, context, (checksum) => config && checksum === checksumIn(config));
  },
};

/**
 * Sets the cluster's schedule, and the checksum by which the injector restarts when its configuration changes.
 *
 * @param objects of a control plane that was rendered with `MARKED`
 * @param isOutdated - whether to replace a checksum; by default all
 */
export function withSchedule(
  objects: readonly KubernetesObject[],
  { heartbeatSchedule, clusterDomain }: Values,
  { clusterName }: RenderContext,
  isOutdated: (checksum: string) => boolean | undefined = () => true,
): readonly KubernetesObject[] {
  const config = objects.find(isConfig);
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
    const checksum = sha256(text);
    return withAnnotations(object, (key, value) => (key === CHECKSUM && isOutdated(value) ? checksum : value));
  });
}

function isNamed(kind: string, name: string): (object: KubernetesObject) => boolean {
  return (object) => object.kind === kind && object.metadata.name === name;
}

const isConfig = isNamed('ConfigMap', 'linkerd-config');

function configText(config: KubernetesObject | undefined, schedule: string | undefined): string | undefined {
  const values = config && valuesIn(config);
  const line = schedule === undefined ? '' : stringifyYaml({ heartbeatSchedule: schedule });
  return values?.replace(/^heartbeatSchedule: .*\n?/m, () => line);
}

function valuesIn({ data }: KubernetesObject): string | undefined {
  const { values } = (data ?? {}) as { readonly values?: unknown };
  return typeof values === 'string' ? values : undefined;
}

const checksumIn = remembered((config: KubernetesObject) => sha256(valuesIn(config) ?? ''));
