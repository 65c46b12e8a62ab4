import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import {
  CNI_RESOURCE,
  CONTROL_PLANE_COMPONENT,
  CONTROL_PLANE_NS,
  CREATED_BY,
  EXTENSION,
} from '../../linkerd/annotations';
import { partOfChart } from '../../linkerd/releases/charts';
import { chartMoves } from '../compare/chart-moves';
import type { ClusterChanges } from './changes';
import { type Consequence, consequence } from './consequences/catalogue';
import type { ComparedCluster } from './consequences/compared';

/** A chart of Linkerd that Helm renders on one side, and this library on the other. */
export interface DeliveryMove {
  readonly chart: string;
  readonly namespace: string;
  /** What renders it afterwards. */
  readonly delivery: 'helm' | 'manifests';
}

/** Returns the charts that both outputs install, and that another program renders. */
export function deliveryMoves({ before, after }: ComparedCluster['contents']): readonly DeliveryMove[] {
  return chartMoves(before.charts, after.charts).flatMap(({ chart, namespace, from, to }): readonly DeliveryMove[] => {
    const part = partOfChart(chart);
    const isOne = (from === undefined) !== (to === undefined);
    const isKept = [before, after].every(
      ({ installed }) => part !== undefined && installed?.releases[part] !== undefined,
    );
    return isOne && isKept ? [{ chart, namespace, delivery: to === undefined ? 'manifests' : 'helm' }] : [];
  });
}

/** Returns the consequence of each move. */
export function ofDeliveries(moves: readonly DeliveryMove[]): readonly Consequence[] {
  return moves.map((move) => consequence({ code: 'chart-delivery-changed', ...move }));
}

/**
 * Returns a cluster in which the objects of moved charts neither come nor go: the Application of their namespace keeps
 * them, whatever renders them.
 */
export function withoutDeliveries(cluster: ComparedCluster, moves: readonly DeliveryMove[]): ComparedCluster {
  if (moves.length === 0) return cluster;
  const { changes, objects, objectsBefore } = cluster;
  const isMoved = (object: KubernetesObject, delivery: DeliveryMove['delivery']) =>
    moves.some((move) => move.delivery === delivery && move.chart === chartOf(object));
  const [gone, come] = [
    changes.removed.filter((object) => isMoved(object, 'helm')),
    changes.added.filter((object) => isMoved(object, 'manifests')),
  ];
  const kept: ClusterChanges = {
    ...changes,
    removed: changes.removed.filter((object) => !gone.includes(object)),
    added: changes.added.filter((object) => !come.includes(object)),
  };
  return {
    ...cluster,
    changes: kept,
    objects: () => [...objects(), ...gone],
    objectsBefore: () => [...objectsBefore(), ...come],
  };
}

/** The chart of an object of Linkerd, by the labels that its charts give; undefined for other objects. */
function chartOf({ metadata: { labels = {}, annotations = {} } }: KubernetesObject): string | undefined {
  const extension = labels[EXTENSION];
  if (extension !== undefined) return `linkerd-${extension}`;
  if (labels[CNI_RESOURCE] !== undefined) return 'linkerd2-cni';
  const isOfControlPlane = [CONTROL_PLANE_COMPONENT, CONTROL_PLANE_NS].some((label) => labels[label] !== undefined);
  return isOfControlPlane || annotations[CREATED_BY] !== undefined ? 'linkerd-control-plane' : undefined;
}
