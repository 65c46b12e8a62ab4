import type {
  Container,
  Deployment,
  PodDisruptionBudget,
  PodSpec,
  Service,
  ServicePort,
  Toleration,
  VolumeMount,
} from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import {
  CONTROL_PLANE_COMPONENT,
  CONTROL_PLANE_NS,
  DEFAULT_INBOUND_POLICY,
  PROXY_VERSION_INJECTED,
  TRUST_ROOT_SHA256,
  WORKLOAD_NS,
} from '../../annotations';
import type { RenderContext } from '../../charts/render-context';
import type { ControlPlaneTemplates } from '../../releases/groups/control-plane';
import { isEmpty } from '../empty';
import { createdBy } from '../metadata/created-by';
import { applicationLabels, component, labels } from '../metadata/labels';
import { affinity } from '../pod/affinity';
import { type ControllerImageValues, controllerImage } from '../pod/images';
import { type ApiAccessValues, apiAccessMounts, tokenAutomount } from '../pod/kube-api-access';
import { POD_SECURITY, unprivileged } from '../pod/security-context';
import { print, unquoted } from '../print';
import type { ControlPlaneView } from './control-plane-view';
import { sha256 } from './metadata';

interface Workload {
  readonly component: 'destination' | 'identity' | 'proxy-injector';
  /** Labels by which the Deployment selects its pods. They are immutable. */
  readonly selector: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly pod: Pick<PodSpec, 'containers' | 'initContainers' | 'volumes'>;
}

/** Renders the Deployment of a component. */
export function deployment(
  values: ControlPlaneView,
  { namespace }: RenderContext,
  workload: Workload,
): KubernetesObject {
  const name = `linkerd-${workload.component}`;
  const application = {
    ...applicationLabels(workload.component, values.linkerdVersion),
    ...component(workload.component),
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: labels(values, namespace, application), annotations: createdBy(values) },
    spec: {
      replicas: values.controllerReplicas,
      revisionHistoryLimit: values.revisionHistoryLimit,
      selector: { matchLabels: { ...workload.selector } },
      strategy: isEmpty(values.deploymentStrategy) ? undefined : values.deploymentStrategy,
      template: {
        metadata: {
          // API servers call webhooks from any address and without an identity, whatever the mesh's default policy is.
          annotations: { ...workload.annotations, [DEFAULT_INBOUND_POLICY]: 'all-unauthenticated' },
          labels: {
            ...podSelector(workload.component, namespace),
            [WORKLOAD_NS]: namespace,
            ...values.podLabels,
          },
        },
        spec: {
          ...scheduling(values),
          affinity: affinity(values, [CONTROL_PLANE_COMPONENT, workload.component]),
          ...tokenAutomount(values),
          securityContext: POD_SECURITY,
          serviceAccountName: name,
          ...workload.pod,
        },
      },
    },
  } satisfies Deployment;
}

/** Returns the labels that identify the pods of a component. */
export function podSelector(name: Workload['component'], namespace: string): Record<string, string> {
  return {
    ...component(name),
    [CONTROL_PLANE_NS]: namespace,
    'linkerd.io/proxy-deployment': `linkerd-${name}`,
  };
}

/** Returns the annotations of a pod of the control plane, including those of the user. */
export function podAnnotations(
  values: ControlPlaneView,
  ofComponent: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  return {
    ...createdBy(values),
    [PROXY_VERSION_INJECTED]: unquoted(values.proxy.image.version || values.linkerdVersion) ?? '',
    'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true',
    [TRUST_ROOT_SHA256]: sha256(values.identityTrustAnchorsPEM ?? ''),
    ...values.podAnnotations,
    ...ofComponent,
  };
}

/** Renders the PodDisruptionBudget of a component, if the values enable it. */
export function disruptionBudget(
  values: ControlPlaneView,
  { namespace }: RenderContext,
  name: string,
  componentName: string,
): readonly KubernetesObject[] {
  if (!values.enablePodDisruptionBudget) return [];
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: {
        name,
        namespace,
        labels: labels(values, namespace, component(componentName)),
        annotations: createdBy(values),
      },
      spec: {
        maxUnavailable: unquoted(values.controller.podDisruptionBudget.maxUnavailable),
        selector: { matchLabels: component(componentName) },
      },
    } satisfies PodDisruptionBudget,
  ];
}

interface ServiceOptions {
  readonly name: string;
  readonly component: string;
  readonly port: ServicePort;
  /** Clients resolve the addresses of the pods instead of a cluster IP. */
  readonly isHeadless?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
}

export function service(
  values: ControlPlaneView,
  { namespace }: RenderContext,
  options: ServiceOptions,
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: options.name,
      namespace,
      labels: labels(values, namespace, component(options.component)),
      annotations: { ...createdBy(values), ...options.annotations },
    },
    spec: {
      ...(options.isHeadless ? { clusterIP: 'None' } : { type: 'ClusterIP' }),
      selector: component(options.component),
      ports: [options.port],
    },
  } satisfies Service;
}

/** Returns the arguments with which a controller sends its own traces to the collector, if enabled. */
export function tracingArguments(values: ControlPlaneView): readonly string[] {
  return values.templates.tracing === 'extension' ? toExtension(values) : toCollector(values);
}

function toCollector({ controller, proxy }: ControlPlaneView): readonly string[] {
  if (!controller.tracing.enabled) return [];
  return [`-trace-collector=${controller.tracing.collector.endpoint || proxy.tracing.collector.endpoint || ''}`];
}

/** Returns the arguments for the collector of linkerd-jaeger, by OpenCensus. */
function toExtension(values: ControlPlaneView): readonly string[] {
  const { controlPlaneTracing, controlPlaneTracingNamespace, clusterDomain } = values;
  if (!controlPlaneTracing) return [];
  return [print`-trace-collector=collector.${controlPlaneTracingNamespace}.svc.${clusterDomain}:55678`];
}

interface ControllerValues extends ControllerImageValues, ApiAccessValues {
  readonly controllerUID: number | undefined;
  readonly controllerGID: number | undefined;
}

/**
 * Renders a container that calls the API server and has no other privileges, by default with the controllers' image.
 */
export function controller(
  values: ControllerValues,
  container: Container,
  volumeMounts: readonly VolumeMount[] = [],
): Container {
  const mounts = [...volumeMounts, ...apiAccessMounts(values)];
  return {
    ...controllerImage(values),
    ...container,
    securityContext: unprivileged(values.controllerUID, values.controllerGID),
    ...(mounts.length > 0 ? { volumeMounts: mounts } : {}),
  };
}

/** The names of ports, unique among controllers. */
type OwnPortName =
  | 'dest-admin'
  | 'dest-grpc'
  | 'ident-admin'
  | 'ident-grpc'
  | 'injector-admin'
  | 'policy-admin'
  | 'policy-grpc'
  | 'spval-admin';

/** Returns the name of a controller's port: the unique one or, in releases with shared names, the shared one. */
export function portName({ templates }: { readonly templates: ControlPlaneTemplates }, own: OwnPortName): string {
  if (templates.portNames === 'own') return own;
  return own.endsWith('-admin') ? 'admin-http' : 'grpc';
}

interface SchedulingValues {
  readonly nodeSelector: Readonly<Record<string, string>> | undefined;
  readonly tolerations: readonly Toleration[] | undefined;
  readonly priorityClassName: string | undefined;
  readonly runtimeClassName: string | undefined;
}

type Scheduling = Pick<PodSpec, 'nodeSelector' | 'tolerations' | 'priorityClassName' | 'runtimeClassName'>;

/** Returns the scheduling fields of a pod. */
export function scheduling(values: SchedulingValues): Scheduling {
  return {
    nodeSelector: values.nodeSelector,
    ...(isEmpty(values.tolerations) ? {} : { tolerations: values.tolerations }),
    ...(values.priorityClassName ? { priorityClassName: unquoted(values.priorityClassName) } : {}),
    ...(values.runtimeClassName ? { runtimeClassName: values.runtimeClassName } : {}),
  };
}
