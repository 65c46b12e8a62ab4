import type { Value } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { identityOf } from '#kubernetes/objects/scope';
import { CNI_RESOURCE, CONTROL_PLANE_COMPONENT, CONTROL_PLANE_NS, CREATED_BY, EXTENSION } from '#linkerd/annotations';
import { CHART_OF_PART, partOfChart } from '#linkerd/releases/charts';
import { type ChartMove, chartMoves, type Inflate } from '../compare/chart-moves';
import type { ChangedPair, ClusterChanges } from './changes';
import { type Consequence, consequence } from './consequences/catalogue';
import type { ComparedCluster } from './consequences/compared';
import { fieldDifferences } from './fields';

/** A chart that Helm renders in one output, and synth in the other. */
export interface DeliveryMove {
  readonly chart: string;
  readonly namespace: string;
  /** The later output: Argo CD renders the chart with Helm, or synth wrote its manifests. */
  readonly delivery: 'helm' | 'manifests';
  /** The chart's objects as Helm renders them; undefined if the diff cannot render the chart. */
  readonly inflated: readonly KubernetesObject[] | undefined;
  /** Whether the chart keeps its release, or its version if it is not a chart of Linkerd. */
  readonly isSame: boolean;
}

/** Returns the charts that both outputs install with another delivery. */
export function deliveryMoves(
  { contents, changes }: Pick<ComparedCluster, 'contents' | 'changes'>,
  inflate: Inflate,
): readonly DeliveryMove[] {
  return chartMoves(contents.before.charts, contents.after.charts).flatMap((move): readonly DeliveryMove[] => {
    const { chart, namespace, from, to } = move;
    if ((from === undefined) === (to === undefined)) return [];
    const delivery = to === undefined ? 'manifests' : 'helm';
    const rendered = delivery === 'manifests' ? changes.added : changes.removed;
    const versions = versionsOf(move, contents, rendered);
    if (versions === undefined) return [];
    const helm = contents[delivery === 'manifests' ? 'before' : 'after'].charts.find((one) => isOf(move, one));
    // The index lists the CRDs, so their chart needs no rendering.
    const isRenderable = helm !== undefined && chart !== CHART_OF_PART.crds;
    const inflated = isRenderable ? inflate(helm) : undefined;
    return [{ chart, namespace, delivery, inflated, isSame: versions[0] === versions[1] }];
  });
}

/** Returns the releases or versions of a chart in both outputs; undefined if one output lacks the chart. */
function versionsOf(
  { chart, from, to }: ChartMove,
  { before, after }: ComparedCluster['contents'],
  rendered: readonly KubernetesObject[],
): readonly [before: string, after: string] | undefined {
  const part = partOfChart(chart);
  if (part !== undefined) {
    const [old, next] = [before, after].map(({ installed }) => installed?.releases[part]);
    return old === undefined || next === undefined ? undefined : [old, next];
  }
  const [labelled] = rendered.flatMap((object) => versionOf(object, chart) ?? []);
  return labelled === undefined ? undefined : [from ?? labelled, to ?? labelled];
}

function isOf({ chart, namespace }: ChartMove, one: { readonly name: string; readonly namespace: string }): boolean {
  return one.name === chart && one.namespace === namespace;
}

export function ofDeliveries(moves: readonly DeliveryMove[]): readonly Consequence[] {
  return moves.map(({ chart, namespace, delivery, inflated, isSame }) => {
    const compared = inflated !== undefined;
    const detail = { code: 'chart-delivery-changed', chart, namespace, delivery, compared, moved: !isSame } as const;
    return consequence(detail, compared || isSame ? 'info' : 'warning');
  });
}

/**
 * Removes the objects of moved charts from the added and removed objects: the Application of their namespace keeps
 * them. If Helm's objects are known, both sides are compared.
 */
export function withoutDeliveries(cluster: ComparedCluster, moves: readonly DeliveryMove[]): ComparedCluster {
  return moves.reduce(withoutDelivery, cluster);
}

function withoutDelivery(cluster: ComparedCluster, move: DeliveryMove): ComparedCluster {
  const isGoing = move.delivery === 'helm';
  const { changes } = cluster;
  const side = isGoing ? changes.removed : changes.added;
  const inflated = new Map((move.inflated ?? []).map((object) => [identityOf(object), object]));
  const own = side.filter((object) => inflated.has(identityOf(object)) || isOfChart(object, move.chart));
  const known = new Set((isGoing ? cluster.objects() : cluster.objectsBefore()).map(identityOf));
  const ofChart = new Set(own);
  const others = side.filter((object) => !ofChart.has(object));
  // The objects that Helm renders, which have no files.
  const rendered = move.inflated === undefined ? own : [...inflated].flatMap(([id, one]) => (known.has(id) ? [] : one));
  const byHelm = new Map(rendered.map((object) => [identityOf(object), object]));
  const gone = own.filter((object) => !byHelm.has(identityOf(object)));
  const synthesized = new Set(own.map(identityOf));
  const come = rendered.filter((object) => !synthesized.has(identityOf(object)));
  const kept: ClusterChanges = {
    ...changes,
    removed: isGoing ? [...others, ...gone] : [...changes.removed, ...come],
    added: isGoing ? [...changes.added, ...come] : [...others, ...gone],
    changed: [...changes.changed, ...own.flatMap((object) => pairOf(object, byHelm.get(identityOf(object)), isGoing))],
  };
  const { objects, objectsBefore } = cluster;
  return isGoing
    ? { ...cluster, changes: kept, objects: () => [...objects(), ...rendered] }
    : { ...cluster, changes: kept, objectsBefore: () => [...objectsBefore(), ...rendered] };
}

function pairOf(
  object: KubernetesObject,
  byHelm: KubernetesObject | undefined,
  isGoing: boolean,
): readonly ChangedPair[] {
  if (byHelm === undefined || byHelm === object) return [];
  const [before, after] = isGoing ? [object, byHelm] : [byHelm, object];
  const fields = fieldDifferences(before as Value, after as Value);
  return fields.length === 0 ? [] : [{ before, after, fields }];
}

const CHART_LABEL = 'helm.sh/chart';

/** Returns the version in the label `helm.sh/chart`, where `_` replaces `+`. */
function versionOf({ metadata: { labels = {} } }: KubernetesObject, chart: string): string | undefined {
  const label = labels[CHART_LABEL] ?? '';
  return label.startsWith(`${chart}-`) && /^v?\d/.test(label.slice(chart.length + 1))
    ? label.slice(chart.length + 1).replaceAll('_', '+')
    : undefined;
}

function isOfChart(object: KubernetesObject, chart: string): boolean {
  return (
    versionOf(object, chart) !== undefined ||
    (!(CHART_LABEL in (object.metadata.labels ?? {})) && chartOf(object) === chart)
  );
}

/** Returns the chart of an object of Linkerd by its labels; undefined for other objects. */
function chartOf({ metadata: { labels = {}, annotations = {} } }: KubernetesObject): string | undefined {
  const extension = labels[EXTENSION];
  if (extension !== undefined) return `linkerd-${extension}`;
  if (labels[CNI_RESOURCE] !== undefined) return 'linkerd2-cni';
  const isOfControlPlane = [CONTROL_PLANE_COMPONENT, CONTROL_PLANE_NS].some((label) => labels[label] !== undefined);
  return isOfControlPlane || annotations[CREATED_BY] !== undefined ? 'linkerd-control-plane' : undefined;
}
