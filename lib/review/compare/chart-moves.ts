import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { InflatedChart } from './cluster-contents';
import { type FieldChange, fieldChanges } from './field-changes';
import { isNoise } from './noise';
import type { Side } from './object-changes';

/** A chart that Helm inflates in at least one output. `from` or `to` is absent where Helm does not inflate it. */
export interface ChartMove {
  readonly chart: string;
  readonly namespace: string;
  readonly from?: string;
  readonly to?: string;
  readonly values: readonly FieldChange[];
}

/** Returns the objects of a chart as Helm would render them; undefined if they are unknown. */
export type Inflate = (chart: InflatedChart) => readonly KubernetesObject[] | undefined;

/** Returns the charts that differ in version, values or delivery. */
export function chartMoves(before: readonly InflatedChart[], after: readonly InflatedChart[]): readonly ChartMove[] {
  const keyOf = ({ namespace, name }: InflatedChart) => `${namespace}/${name}`;
  const [old, next] = [before, after].map((charts) => new Map(charts.map((chart) => [keyOf(chart), chart])));
  const keys = [...new Set([...(old?.keys() ?? []), ...(next?.keys() ?? [])])].sort();
  return keys.flatMap((key) => {
    const [from, to] = [old?.get(key), next?.get(key)];
    const either = from ?? to;
    if (either === undefined) return [];
    const values = from === undefined || to === undefined ? [] : fieldChanges(from.values, to.values);
    if (from?.version === to?.version && values.length === 0) return [];
    return [
      {
        chart: either.name,
        namespace: either.namespace,
        ...(from === undefined ? {} : { from: from.version }),
        ...(to === undefined ? {} : { to: to.version }),
        values: values.filter((value) => !isNoise(value)),
      },
    ];
  });
}

export interface InflatedObjects extends Readonly<Record<Side, readonly KubernetesObject[]>> {
  /** The charts whose objects are unknown on one side or both. */
  readonly unknown: readonly string[];
}

/**
 * Returns the objects of the charts in `moves`. A chart with one unknown side is left out: the objects of the other
 * side would look added or removed.
 */
export function inflateBoth(
  before: readonly InflatedChart[],
  after: readonly InflatedChart[],
  moves: readonly ChartMove[],
  inflate: Inflate,
): InflatedObjects {
  const objects: Record<Side, KubernetesObject[]> = { before: [], after: [] };
  const unknown: string[] = [];
  for (const { chart, namespace } of moves) {
    const is = (one: InflatedChart) => one.name === chart && one.namespace === namespace;
    const [old, next] = [before.find(is), after.find(is)].map((one) => (one === undefined ? [] : inflate(one)));
    if (old === undefined || next === undefined) unknown.push(chart);
    else {
      objects.before.push(...old);
      objects.after.push(...next);
    }
  }
  return { ...objects, unknown };
}
