import type { Container, Deployment, EnvVar, PodSpec, ResourceRequirements } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { INJECT, PROXY_WAIT_BEFORE_EXIT_SECONDS } from '#linkerd/annotations';
import type { RenderContext } from '#linkerd/charts/render-context';
import { isEmpty, unlessEmpty } from '../../empty';
import { apiAccessMounts, apiAccessVolumes, tokenAutomount } from '../../pod/kube-api-access';
import { POD_SECURITY, unprivileged } from '../../pod/security-context';
import { labels } from '../metadata';
import type { MulticlusterView } from '../multicluster-view';

/** The settings in which the Deployments of service mirrors differ. */
export interface Mirror {
  /** Name of the Deployment, and of its service account. */
  readonly name: string;
  readonly replicas: number | undefined;
  /** Replicas run on different nodes, so that one must stop before a new one can be scheduled. */
  readonly isSpread: boolean;
  /** Labels of the Deployment and its pods. */
  readonly labels: Readonly<Record<string, string>>;
  /** Labels with which the Deployment selects its pods. They are immutable. */
  readonly selector: Readonly<Record<string, string>>;
  readonly pod: Pick<PodSpec, 'affinity' | 'nodeSelector' | 'tolerations'>;
  readonly container: MirrorContainer;
}

interface MirrorContainer {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: readonly EnvVar[];
  readonly image: string;
  readonly adminPort: string;
  readonly resources: object | undefined;
  readonly UID: number | undefined;
  readonly GID: number | undefined;
}

/** Renders a Deployment that mirrors services, with meshed pods. */
export function mirrorDeployment(
  values: MulticlusterView,
  { namespace }: RenderContext,
  mirror: Mirror,
): KubernetesObject {
  const { name, selector } = mirror;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: labels(values, mirror.labels) },
    spec: {
      replicas: mirror.replicas,
      revisionHistoryLimit: values.revisionHistoryLimit,
      selector: { matchLabels: { ...selector } },
      strategy: mirror.isSpread ? { rollingUpdate: { maxUnavailable: 1 } } : undefined,
      template: {
        metadata: {
          annotations: {
            [INJECT]: 'enabled',
            'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true',
            [PROXY_WAIT_BEFORE_EXIT_SECONDS]: '0',
            ...values.podAnnotations,
          },
          labels: { ...mirror.labels, ...values.podLabels },
        },
        spec: {
          ...mirror.pod,
          ...tokenAutomount(values),
          containers: [mirrorContainer(values, mirror.container)],
          securityContext: POD_SECURITY,
          serviceAccountName: name,
          volumes: apiAccessVolumes(values),
        },
      },
    },
  } satisfies Deployment;
}

function mirrorContainer(values: MulticlusterView, { adminPort, UID, GID, ...own }: MirrorContainer): Container {
  return {
    ...own,
    env: unlessEmpty(own.env),
    // Printed unchanged: this chart takes resources in the form of a container, unlike other charts.
    resources: isEmpty(own.resources) ? undefined : (own.resources as ResourceRequirements),
    ports: [{ containerPort: 9999, name: adminPort }],
    securityContext: unprivileged(UID, GID),
    volumeMounts: apiAccessMounts(values),
  };
}
