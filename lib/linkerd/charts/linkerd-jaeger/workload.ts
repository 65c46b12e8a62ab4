import type { Container, Deployment, PodSpec, Service, ServicePort, Toleration } from '../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { INJECT, PROXY_AWAIT } from '../../annotations';
import { isEmpty } from '../empty';
import { PART_OF_LINKERD } from '../metadata/labels';
import type { ImageValues } from '../pod/images';
import { type ResourceValues, resources } from '../pod/resources';
import { POD_SECURITY, unprivileged } from '../pod/security-context';
import { print } from '../print';
import type { RenderContext } from '../render-context';
import type { JaegerView } from './jaeger-view';
import { component, withCommonLabels } from './metadata';

/** The nodes on which pods may run. */
interface Placement {
  readonly nodeSelector: Readonly<Record<string, string>> | undefined;
  readonly tolerations: readonly Toleration[] | undefined;
}

/** The differences between the Deployments of the extension. */
interface Workload {
  /** Name of the Deployment, of its component, and of its service account. */
  readonly name: string;
  /** Labels that people see, beyond those that all Deployments have. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Labels by which the Deployment finds its pods. They cannot change once it exists. */
  readonly selector: Readonly<Record<string, string>>;
  /** Annotations of the pods, beyond those of all meshed pods of the extension. */
  readonly podAnnotations: Readonly<Record<string, string>>;
  readonly placement: Placement;
  readonly rollout?: Pick<NonNullable<Deployment['spec']>, 'minReadySeconds' | 'progressDeadlineSeconds'>;
  readonly pod: Pick<PodSpec, 'containers' | 'dnsPolicy' | 'volumes'>;
}

/** A Deployment of the extension: one pod, which is meshed. */
export function deployment(values: JaegerView, { namespace }: RenderContext, workload: Workload): KubernetesObject {
  const { name, labels, selector, podAnnotations, placement, rollout, pod } = workload;
  const own = { ...component(name), 'app.kubernetes.io/name': name, ...PART_OF_LINKERD, ...labels };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: withCommonLabels(values, own) },
    spec: {
      replicas: 1,
      selector: { matchLabels: { ...selector } },
      ...rollout,
      template: {
        metadata: {
          annotations: {
            [INJECT]: 'enabled',
            [PROXY_AWAIT]: 'enabled',
            'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true',
            ...podAnnotations,
          },
          labels: { ...component(name), ...values.podLabels },
        },
        spec: { ...scheduling(placement), securityContext: POD_SECURITY, serviceAccountName: name, ...pod },
      },
    },
  } satisfies Deployment;
}

/** Returns the fields of a pod that say where it runs. */
export function scheduling({ nodeSelector, tolerations }: Placement): Placement {
  return { nodeSelector, tolerations: isEmpty(tolerations) ? undefined : tolerations };
}

/** The annotations by which Prometheus finds the metrics of a pod. */
export function scrapedAt(port: number): Record<string, string> {
  return { 'prometheus.io/path': '/metrics', 'prometheus.io/port': `${port}`, 'prometheus.io/scrape': 'true' };
}

/** The values that all components have in common. */
interface ComponentValues {
  readonly image: Omit<ImageValues, 'version'> & { readonly version?: string | number | undefined };
  readonly resources: ResourceValues | undefined;
  readonly UID: number | undefined;
}

/** The part that all containers have in common: image, resources, and that they can do nothing but run. */
export function confined(
  { defaultUID }: JaegerView,
  { image, resources: own, UID }: ComponentValues,
): Pick<Container, 'image' | 'imagePullPolicy' | 'resources' | 'securityContext'> {
  return {
    image: print`${image.name}:${image.version}`,
    imagePullPolicy: image.pullPolicy || undefined,
    resources: resources(own),
    securityContext: unprivileged(UID || defaultUID, undefined),
  };
}

/** The differences between the Services of the extension. */
interface ServiceOptions {
  /** Name of the Service, and of the component behind it. */
  readonly name: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly ports: readonly ServicePort[];
}

/** The Service of a component. */
export function service(values: JaegerView, { namespace }: RenderContext, options: ServiceOptions): KubernetesObject {
  const { name, selector, ports } = options;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: withCommonLabels(values, component(name)) },
    spec: { type: 'ClusterIP', selector: { ...selector }, ports },
  } satisfies Service;
}
