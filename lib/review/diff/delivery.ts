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

/** A chart that Helm renders on one side, and that is rendered at synth on the other. */
export interface DeliveryMove {
  readonly chart: string;
  readonly namespace: string;
  /** What renders it afterwards. */
  readonly delivery: 'helm' | 'manifests';
  /** Its objects as Helm renders them, without those of the namespace; undefined if only Helm knows them. */
  readonly inflated: readonly KubernetesObject[] | undefined;
  /** Whether it stays the same release, or version. */
  readonly isSame: boolean;
}

/** Returns the charts that both outputs install, and that another program renders. */
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
    // The CRDs of a release are known without its chart.
    const isRenderable = helm !== undefined && chart !== CHART_OF_PART.crds;
    const inflated = isRenderable ? inflate(helm) : undefined;
    return [{ chart, namespace, delivery, inflated, isSame: versions[0] === versions[1] }];
  });
}

/** The releases, or versions, of a chart that both outputs have; undefined if one does not have it. */
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

/** Returns the consequence of each move. */
export function ofDeliveries(moves: readonly DeliveryMove[]): readonly Consequence[] {
  return moves.map(({ chart, namespace, delivery, inflated, isSame }) => {
    const compared = inflated !== undefined;
    const detail = { code: 'chart-delivery-changed', chart, namespace, delivery, compared, moved: !isSame } as const;
    return consequence(detail, compared || isSame ? 'info' : 'warning');
  });
}

/**
 * Returns a cluster in which the objects of moved charts do not come or go because of it: the Application of their
 * namespace keeps them, whatever renders them. They are compared with those that Helm renders, if these are known.
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
  // Helm's side, which has no files.
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

/** The version of an object's chart, by the label that most charts give, in which a plus is an underscore. */
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

/** The chart of an object of Linkerd, by the labels that its charts give; undefined for other objects. */
function chartOf({ metadata: { labels = {}, annotations = {} } }: KubernetesObject): string | undefined {
  const extension = labels[EXTENSION];
  if (extension !== undefined) return `linkerd-${extension}`;
  if (labels[CNI_RESOURCE] !== undefined) return 'linkerd2-cni';
  const isOfControlPlane = [CONTROL_PLANE_COMPONENT, CONTROL_PLANE_NS].some((label) => labels[label] !== undefined);
  return isOfControlPlane || annotations[CREATED_BY] !== undefined ? 'linkerd-control-plane' : undefined;
}
