import type {
  Container,
  ContainerPort,
  Deployment,
  PodDisruptionBudget,
  PodSpec,
  Service,
  ServicePort,
  Toleration,
  VolumeMount,
} from '../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import {
  INJECT,
  PROXY_AWAIT,
  PROXY_CPU_LIMIT,
  PROXY_CPU_REQUEST,
  PROXY_MEMORY_LIMIT,
  PROXY_MEMORY_REQUEST,
  PROXY_WAIT_BEFORE_EXIT_SECONDS,
} from '../../annotations';
import { isEmpty, unlessEmpty } from '../empty';
import { affinity } from '../pod/affinity';
import type { ContainerImage, ImageValues } from '../pod/images';
import { tokenAutomount } from '../pod/kube-api-access';
import { livenessProbe, readinessProbe } from '../pod/probes';
import { type ResourceValues, resources } from '../pod/resources';
import { POD_SECURITY, unprivileged } from '../pod/security-context';
import { print } from '../print';
import type { RenderContext } from '../render-context';
import { component, creator, namespacedComponent, withCommonLabels } from './metadata';
import type { VizView } from './viz-view';

/** The nodes on which pods may run. */
interface Placement {
  readonly nodeSelector: Readonly<Record<string, string>> | undefined;
  readonly tolerations: readonly Toleration[] | undefined;
}

/** The differences between the Deployments of Viz. */
interface Workload {
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

/** The differences between the containers of Viz. */
interface ContainerOptions {
  readonly name: string;
  readonly args: readonly string[];
  /** Ports besides that of probes and metrics. */
  readonly ports: readonly ContainerPort[];
  /** Port of probes and metrics. */
  readonly adminPort: number;
  readonly volumeMounts: readonly VolumeMount[];
}

/** A container of Viz: it can do nothing but run. */
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

/** The image of a component, as Viz takes it: registry and name apart. */
interface ComponentImage {
  readonly registry: string | undefined;
  readonly name: string | undefined;
  readonly tag: string | undefined;
  readonly pullPolicy: ImageValues['pullPolicy'];
}

/** Resources of the proxy that the injector puts beside a component. */
interface ProxyValues {
  readonly resources?: Pick<ResourceValues, 'cpu' | 'memory'> | null | undefined;
}

/** The values that all components of Viz have in common. */
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

/** The image of a component that is released with Linkerd; what is empty follows from the release. */
function componentImage(values: VizView, image: ComponentImage): ContainerImage {
  return releasedImage(values, { ...image, tag: image.tag || values.linkerdVersion });
}

/** The image of a component with releases of its own, in the registry of the others. */
export function releasedImage(values: VizView, image: ComponentImage): ContainerImage {
  return foreignImage(values, { ...image, registry: image.registry || values.defaultRegistry });
}

/** The image of other people's software. */
export function foreignImage(values: VizView, { registry, name, tag, pullPolicy }: ComponentImage): ContainerImage {
  return {
    image: print`${registry}/${name}:${tag}`,
    imagePullPolicy: pullPolicy || values.defaultImagePullPolicy,
  };
}

/** Arguments that say what a component logs, and how. */
export function logArguments(
  values: VizView,
  { logLevel, logFormat }: Pick<ComponentValues, 'logLevel' | 'logFormat'>,
): readonly string[] {
  return [
    print`-log-level=${logLevel || values.defaultLogLevel}`,
    print`-log-format=${logFormat || values.defaultLogFormat}`,
  ];
}

/** The components can serve profiles of themselves, but the chart has no value for it. */
export const NO_PROFILES = '-enable-pprof=false';

/** A pod that has no data of its own: the autoscaler may take its node away. */
export const SAFE_TO_EVICT = { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' };

/** Annotations of a pod of Viz, so that it is meshed; further ones give way to these. */
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

/** The differences between the Services of Viz. */
interface ServiceOptions {
  /** Name of the Service, and of the component behind it. */
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

/** Lets one replica of a component be evicted at once, where there are several. */
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
