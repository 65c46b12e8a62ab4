import type { Deployment, PodSpec, Toleration } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { INJECT, PROXY_AWAIT } from '../../../annotations';
import { isEmpty, unlessEmpty } from '../../empty';
import { affinity } from '../../pod/affinity';
import { tokenAutomount } from '../../pod/kube-api-access';
import { POD_SECURITY } from '../../pod/security-context';
import type { RenderContext } from '../../render-context';
import { creator } from '../metadata/creator';
import { withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';

/** The nodes on which pods may run. */
interface Placement {
  readonly nodeSelector: Readonly<Record<string, string>> | undefined;
  readonly tolerations: readonly Toleration[] | undefined;
}

/** The differences between the Deployments of Viz. */
export interface Workload {
  /** Name of the Deployment, and of its service account. */
  readonly name: string;
  readonly replicas: number | undefined;
  readonly strategy?: NonNullable<Deployment['spec']>['strategy'];
  /** Labels of the Deployment: the pods' own, and what people see. */
  readonly labels: Readonly<Record<string, string>>;
  /** Labels by which the Deployment finds its pods. They cannot change once it exists. */
  readonly selector: Readonly<Record<string, string>>;
  /** Labels of the pods. */
  readonly podLabels: Readonly<Record<string, string>>;
  readonly podAnnotations: Readonly<Record<string, string>>;
  readonly placement: Placement;
  readonly pod: Pick<PodSpec, 'affinity' | 'containers' | 'securityContext' | 'volumes'>;
}

/** A Deployment of Viz, whose pods are meshed. */
export function deployment(values: VizView, { namespace }: RenderContext, workload: Workload): KubernetesObject {
  const { name, replicas, strategy, selector } = workload;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace,
      labels: withCommonLabels(values, workload.labels),
      annotations: { ...creator(values), [INJECT]: 'enabled', [PROXY_AWAIT]: 'enabled' },
    },
    spec: {
      replicas,
      revisionHistoryLimit: values.revisionHistoryLimit,
      selector: { matchLabels: { ...selector } },
      strategy,
      template: {
        metadata: {
          annotations: { ...workload.podAnnotations },
          labels: { ...workload.podLabels, ...values.podLabels },
        },
        spec: {
          ...scheduling(workload.placement),
          ...tokenAutomount(values),
          securityContext: POD_SECURITY,
          serviceAccountName: name,
          ...workload.pod,
          volumes: unlessEmpty(workload.pod.volumes),
        },
      },
    },
  } satisfies Deployment;
}

/** Returns the fields of a pod that say where it runs. */
export function scheduling({ nodeSelector, tolerations }: Placement): Placement {
  return { nodeSelector, tolerations: isEmpty(tolerations) ? undefined : tolerations };
}

/** Keeps the replicas of a component apart, if the values want it. */
export function componentAffinity(values: VizView, name: string): PodSpec['affinity'] {
  return affinity(values, ['component', name]);
}

/** The update strategy: of replicas on different nodes, one must go before a new one finds a place. */
export function rollout({ enablePodAntiAffinity }: VizView): Workload['strategy'] {
  return enablePodAntiAffinity ? { rollingUpdate: { maxUnavailable: 1 } } : undefined;
}
