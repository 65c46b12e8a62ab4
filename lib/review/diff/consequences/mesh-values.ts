import { canonicalJson } from '#base/canonical-json';
import { remembered } from '#base/remembered';
import { isSameValue } from '#base/same-value';
import { isMap, mergeValues, type Values, valueAt } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { DEFAULT_INBOUND_POLICY } from '#linkerd/annotations';
import { meshValues } from '../../compare/object-changes';
import type { ComparedCluster } from './compared';
import { specOf } from './compared';

type Side = 'before' | 'after';

const CHART = 'linkerd-control-plane';

/** Whether the values of a mesh may differ: in its chart, in its ConfigMap, or in a LinkerdConfig. */
export function isValuesChanged({ changes, contents: { before, after } }: ComparedCluster): boolean {
  const objects = [...changes.changed.map((pair) => pair.after), ...changes.added, ...changes.removed];
  if (objects.some((object) => object.kind === 'LinkerdConfig' || meshValues(object) !== undefined)) return true;
  const [old, next] = [before, after].map(({ charts }) => charts.find(({ name }) => name === CHART)?.values);
  return !isSameValue(old, next);
}

/** Returns a value of the mesh on one side, formatted like an annotation; undefined if it is not set. */
export function meshValueText(cluster: ComparedCluster, side: Side, path: string | undefined): string | undefined {
  const value = path === undefined ? undefined : valueAt(VALUES[side](cluster), path);
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) return typeof value === 'object' ? canonicalJson(value) : String(value);
  return value.map((item) => (typeof item === 'object' ? canonicalJson(item) : String(item))).join(',');
}

/** Returns the policy for connections to pods of a namespace on ports without a Server. */
export function defaultPolicyOf(cluster: ComparedCluster, side: Side, namespace: string): string {
  const objects = side === 'before' ? cluster.objectsBefore() : cluster.objects();
  const own = objects.find(({ kind, metadata }) => kind === 'Namespace' && metadata.name === namespace);
  const annotation = own?.metadata.annotations?.[DEFAULT_INBOUND_POLICY];
  return annotation ?? meshValueText(cluster, side, 'proxy.defaultInboundPolicy') ?? 'all-unauthenticated';
}

const VALUES: Readonly<Record<Side, (cluster: ComparedCluster) => Values>> = {
  before: remembered((cluster) => read(cluster, 'before')),
  after: remembered((cluster) => read(cluster, 'after')),
};

function read({ objects, objectsBefore, contents }: ComparedCluster, side: Side): Values {
  const all = side === 'before' ? objectsBefore() : objects();
  const [own] = all.map(meshValues).filter((values) => values !== undefined);
  const chart = contents[side].charts.find(({ name }) => name === CHART)?.values;
  const values: Values = own ?? chart ?? {};
  return all.map(laidOver).reduce(mergeValues, values);
}

function laidOver(object: KubernetesObject): Values {
  const { values } = object.kind === 'LinkerdConfig' ? specOf(object) : {};
  return isMap(values) ? values : {};
}
