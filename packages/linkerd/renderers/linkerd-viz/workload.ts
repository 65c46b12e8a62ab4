import type {
  Container,
  ContainerPort,
  Deployment,
  PodDisruptionBudget,
  PodSpec,
  Service,
  ServicePort,
  VolumeMount,
} from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import {
  INJECT,
  PROXY_AWAIT,
  PROXY_CPU_LIMIT,
  PROXY_CPU_REQUEST,
  PROXY_MEMORY_LIMIT,
  PROXY_MEMORY_REQUEST,
  PROXY_WAIT_BEFORE_EXIT_SECONDS,
} from '../../annotations';
import type { RenderContext } from '../../charts/render-context';
import { unlessEmpty } from '../empty';
import { creator } from '../metadata/created-by';
import { withCommonLabels } from '../metadata/labels';
import { affinity } from '../pod/affinity';
import type { ContainerImage, ImageValues } from '../pod/images';
import { tokenAutomount } from '../pod/kube-api-access';
import { livenessProbe, readinessProbe } from '../pod/probes';
import { type ResourceValues, resources } from '../pod/resources';
import { type Placement, scheduling } from '../pod/scheduling';
import { POD_SECURITY, unprivileged } from '../pod/security-context';
import { print } from '../print';
import { component, namespacedComponent } from './metadata';
import type { VizView } from './viz-view';

interface Workload {
  readonly name: string;
  readonly replicas: number | undefined;
  readonly strategy?: NonNullable<Deployment['spec']>['strategy'];
  readonly labels: Readonly<Record<string, string>>;
  /** Labels by which the Deployment selects its pods. They are immutable. */
  readonly selector: Readonly<Record<string, string>>;
  readonly podLabels: Readonly<Record<string, string>>;
  readonly podAnnotations: Readonly<Record<string, string>>;
  readonly placement: Placement;
  readonly pod: Pick<PodSpec, 'affinity' | 'containers' | 'securityContext' | 'volumes'>;
}

/** Renders a Deployment of Viz, with meshed pods. */
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

/** Spreads the replicas of a component over nodes, if the values enable it. */
export function componentAffinity(values: VizView, name: string): PodSpec['affinity'] {
  return affinity(values, ['component', name]);
}

/** Returns the update strategy: with replicas on different nodes, one must stop before a new one can be scheduled. */
export function rollout({ enablePodAntiAffinity }: VizView): Workload['strategy'] {
  return enablePodAntiAffinity ? { rollingUpdate: { maxUnavailable: 1 } } : undefined;
}

interface ContainerOptions {
  readonly name: string;
  readonly args: readonly string[];
  /** Ports in addition to the one for probes and metrics. */
  readonly ports: readonly ContainerPort[];
  readonly adminPort: number;
  readonly volumeMounts: readonly VolumeMount[];
}

/** Renders a container of Viz without privileges. */
export function container(values: VizView, component: ComponentValues, options: ContainerOptions): Container {
  const { name, args, ports, adminPort, volumeMounts } = options;
  return {
    name,
    ...componentImage(values, component.image),
    args,
    ports: [...ports, { containerPort: adminPort, name: values.templates.adminPort }],
    livenessProbe: livenessProbe({}, adminPort),
    readinessProbe: readinessProbe({}, adminPort),
    resources: resources(component.resources),
    securityContext: unprivileged(component.UID || values.defaultUID, component.GID || values.defaultGID),
    volumeMounts: unlessEmpty(volumeMounts),
  };
}

interface ComponentImage {
  readonly registry: string | undefined;
  readonly name: string | undefined;
  readonly tag: string | undefined;
  readonly pullPolicy: ImageValues['pullPolicy'];
}

interface ProxyValues {
  readonly resources?: Pick<ResourceValues, 'cpu' | 'memory'> | null | undefined;
}

interface ComponentValues {
  readonly replicas: number | undefined;
  readonly logLevel: string | undefined;
  readonly logFormat: string | undefined;
  readonly image: ComponentImage;
  readonly resources: ResourceValues | undefined;
  readonly proxy: ProxyValues | undefined;
  readonly UID: number | undefined;
  readonly GID: number | undefined;
  readonly service: { readonly annotations: Readonly<Record<string, string>> | undefined };
}

/** Returns the image of a component; empty fields default to those of the release. */
function componentImage(values: VizView, image: ComponentImage): ContainerImage {
  return releasedImage(values, { ...image, tag: image.tag || values.linkerdVersion });
}

/** Returns the image of a component with its own releases, in the common registry. */
export function releasedImage(values: VizView, image: ComponentImage): ContainerImage {
  return foreignImage(values, { ...image, registry: image.registry || values.defaultRegistry });
}

/** Returns the image of third-party software. */
export function foreignImage(values: VizView, { registry, name, tag, pullPolicy }: ComponentImage): ContainerImage {
  return {
    image: print`${registry}/${name}:${tag}`,
    imagePullPolicy: pullPolicy || values.defaultImagePullPolicy,
  };
}

/** Returns the arguments for the level and format of a component's log. */
export function logArguments(
  values: VizView,
  { logLevel, logFormat }: Pick<ComponentValues, 'logLevel' | 'logFormat'>,
): readonly string[] {
  return [
    print`-log-level=${logLevel || values.defaultLogLevel}`,
    print`-log-format=${logFormat || values.defaultLogFormat}`,
  ];
}

/** The components can serve profiles, but the chart has no value that enables it. */
export const NO_PROFILES = '-enable-pprof=false';

/** Annotation of a pod without data, which lets the autoscaler remove its node. */
export const SAFE_TO_EVICT = { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' };

/** Returns the annotations of a meshed pod of Viz. Additional ones override all but injection and the wait. */
export function podAnnotations(
  values: VizView,
  proxy: ProxyValues | undefined,
  further: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    ...creator(values),
    ...proxyAnnotations(proxy),
    ...further,
    [INJECT]: 'enabled',
    [PROXY_WAIT_BEFORE_EXIT_SECONDS]: '0',
  };
}

function proxyAnnotations({ resources }: ProxyValues = {}): Record<string, string> {
  const quantities = {
    [PROXY_CPU_REQUEST]: resources?.cpu?.request,
    [PROXY_CPU_LIMIT]: resources?.cpu?.limit,
    [PROXY_MEMORY_REQUEST]: resources?.memory?.request,
    [PROXY_MEMORY_LIMIT]: resources?.memory?.limit,
  };
  const given = Object.entries(quantities).filter(([, quantity]) => quantity);
  return Object.fromEntries(given.map(([key, quantity]) => [key, `${quantity}`]));
}

interface ServiceOptions {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ports: readonly ServicePort[];
}

export function service(values: VizView, { namespace }: RenderContext, options: ServiceOptions): KubernetesObject {
  const { name, labels, annotations, ports } = options;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace,
      labels: { ...labels },
      annotations: { ...creator(values), ...annotations, [INJECT]: 'enabled' },
    },
    spec: { type: 'ClusterIP', selector: component(name), ports },
  } satisfies Service;
}

/** Renders a PodDisruptionBudget that allows the eviction of one replica at a time, if there are several. */
export function disruptionBudget(
  values: VizView,
  { namespace }: RenderContext,
  name: string,
  replicas: number | undefined,
): readonly KubernetesObject[] {
  if (!values.enablePodDisruptionBudget || replicas === undefined || replicas < 2) return [];
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: {
        name,
        namespace,
        labels: withCommonLabels(values, namespacedComponent(name, namespace)),
        annotations: creator(values),
      },
      spec: { maxUnavailable: 1, selector: { matchLabels: component(name) } },
    } satisfies PodDisruptionBudget,
  ];
}
