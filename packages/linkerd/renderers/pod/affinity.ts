import type { Affinity, LabelSelector, NodeAffinity } from '#imports/kubernetes';
import { isEmpty } from '../empty';

/** Values for spreading the replicas of a component over nodes. */
export interface AffinityValues {
  readonly enablePodAntiAffinity: boolean | undefined;
  readonly nodeAffinity: object | undefined;
}

/** Spreads the replicas of one component, identified by a label, over nodes and, if possible, over zones. */
export function affinity(values: AffinityValues, label: readonly [key: string, value: string]): Affinity | undefined {
  if (!values.enablePodAntiAffinity && isEmpty(values.nodeAffinity)) return undefined;
  return {
    ...(values.enablePodAntiAffinity ? { podAntiAffinity: apart(label) } : {}),
    ...(isEmpty(values.nodeAffinity) ? {} : { nodeAffinity: values.nodeAffinity as NodeAffinity }),
  };
}

function apart([key, value]: readonly [string, string]): Affinity['podAntiAffinity'] {
  const labelSelector: LabelSelector = { matchExpressions: [{ key, operator: 'In', values: [value] }] };
  return {
    preferredDuringSchedulingIgnoredDuringExecution: [
      { podAffinityTerm: { labelSelector, topologyKey: 'topology.kubernetes.io/zone' }, weight: 100 },
    ],
    requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: 'kubernetes.io/hostname' }],
  };
}
