import type { Container, Deployment, PodSpec, Service, ServicePort } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { INJECT, PROXY_AWAIT } from '../../annotations';
import type { RenderContext } from '../../charts/render-context';
import { PART_OF_LINKERD, withCommonLabels } from '../metadata/labels';
import type { ImageValues } from '../pod/images';
import { type ResourceValues, resources } from '../pod/resources';
import { type Placement, scheduling } from '../pod/scheduling';
import { POD_SECURITY, unprivileged } from '../pod/security-context';
import { print } from '../print';
import type { JaegerView } from './jaeger-view';
import { component } from './metadata';

interface Workload {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Labels by which the Deployment selects its pods. They are immutable. */
  readonly selector: Readonly<Record<string, string>>;
  readonly podAnnotations: Readonly<Record<string, string>>;
  readonly placement: Placement;
  readonly rollout?: Pick<NonNullable<Deployment['spec']>, 'minReadySeconds' | 'progressDeadlineSeconds'>;
  readonly pod: Pick<PodSpec, 'containers' | 'dnsPolicy' | 'volumes'>;
}

/** Renders a Deployment of the extension: one meshed pod. */
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

/** Returns the annotations with which Prometheus finds the metrics of a pod. */
export function scrapedAt(port: number): Record<string, string> {
  return { 'prometheus.io/path': '/metrics', 'prometheus.io/port': `${port}`, 'prometheus.io/scrape': 'true' };
}

interface ComponentValues {
  readonly image: Omit<ImageValues, 'version'> & { readonly version?: string | number | undefined };
  readonly resources: ResourceValues | undefined;
  readonly UID: number | undefined;
}

/** Returns the parts that all containers share: image, resources, and a minimal security context. */
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

interface ServiceOptions {
  readonly name: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly ports: readonly ServicePort[];
}

/** Renders the Service of a component. */
export function service(values: JaegerView, { namespace }: RenderContext, options: ServiceOptions): KubernetesObject {
  const { name, selector, ports } = options;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: withCommonLabels(values, component(name)) },
    spec: { type: 'ClusterIP', selector: { ...selector }, ports },
  } satisfies Service;
}
