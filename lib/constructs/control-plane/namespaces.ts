import type { Construct, IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { matchesSelector } from '#base/label-selector';
import { type Values, valueAt } from '#base/values';
import { objectsAround } from '../../gitops/tree/api-objects';
import { ensureNamespace, type NamespaceMetadata } from '../../gitops/tree/namespace';
import {
  ADMISSION_WEBHOOKS,
  CONTROL_PLANE_NS,
  EXTENSION,
  INJECT,
  IS_CONTROL_PLANE,
  POD_SECURITY_ENFORCE,
  PROXY_AWAIT,
  VIZ_EXTERNAL_PROMETHEUS,
} from '../../linkerd/annotations';
import { NEVER_INJECTED } from '../../linkerd/policy/pod-sets';
import { CONTROL_PLANE_FINDINGS } from './findings';

interface ControlPlaneNamespaces {
  readonly namespace: string;
  /** The CNI plugin redirects traffic, so that no pod needs an init container with NET_ADMIN. */
  readonly cni: boolean;
  readonly failsClosed: boolean;
  readonly certManagerNamespace: string;
}

/** The injector's webhook excludes it by name; cert-manager in another namespace needs the label. */
const USUAL_CERT_MANAGER_NAMESPACE = 'cert-manager';

/**
 * Returns the control plane's namespace, labelled as by `linkerd install`.
 *
 * If the injector fails closed, the namespaces of everything that it needs are excluded from injection: if the
 * cluster's network and DNS, or cert-manager, waited for the injector and the injector for them, neither would ever
 * start (https://linkerd.io/2-edge/features/ha/#exclude-the-kube-system-namespace).
 */
export function ensureControlPlaneNamespaces(scope: Construct, options: ControlPlaneNamespaces): void {
  ensureNamespace(scope, options.namespace, {
    labels: {
      [IS_CONTROL_PLANE]: 'true',
      [ADMISSION_WEBHOOKS]: 'disabled',
      [CONTROL_PLANE_NS]: options.namespace,
      [POD_SECURITY_ENFORCE]: options.cni ? 'restricted' : 'privileged',
    },
    annotations: { [INJECT]: 'disabled' },
  });
  if (!options.failsClosed) return;
  const needed = new Set(['kube-system', options.certManagerNamespace]);
  needed.delete(USUAL_CERT_MANAGER_NAMESPACE);
  for (const name of needed) ensureNamespace(scope, name, { labels: { [ADMISSION_WEBHOOKS]: 'disabled' } });
}

/**
 * Returns the namespaces of components that the injector itself needs to start, with their labels in the chart of
 * `scope`.
 */
export function neededNamespaces(
  scope: IConstruct,
  { namespace, certManagerNamespace }: Pick<ControlPlaneNamespaces, 'namespace' | 'certManagerNamespace'>,
): readonly NeededNamespace[] {
  const namespaces = objectsAround(scope)
    .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Namespace')
    .flatMap(({ json }) => json());
  return [...new Set(['kube-system', certManagerNamespace, namespace])].map((name) => ({
    name,
    labels: namespaces.find(({ metadata }) => metadata.name === name)?.metadata.labels ?? {},
  }));
}

/** The labels of a namespace whose pods must start while no injector answers. */
export interface NeededNamespace {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Reports components that the injector needs, and whose pods would wait for it. */
export function checkInjectorDeadlocks(values: Values, needed: readonly NeededNamespace[]): readonly Problem[] {
  if (values.webhookFailurePolicy !== 'Fail') return [];
  const selector = valueAt(values, 'proxyInjector.namespaceSelector');
  const caught = needed
    .filter(({ name, labels }) =>
      matchesSelector(selector, { 'kubernetes.io/metadata.name': name, ...labels }, 'everything'),
    )
    .map(({ name }) => name);
  if (caught.length === 0) return [];
  return [
    CONTROL_PLANE_FINDINGS.injectorDeadlock(
      { namespaces: caught.join(', ') },
      { about: 'values.proxyInjector.namespaceSelector' },
    ),
  ];
}

/** Reports problems that keep Linkerd from injecting the pods in a namespace. */
export function checkInjectedNamespace(workload: string, namespace: string | undefined): readonly Problem[] {
  if (namespace === undefined || !NEVER_INJECTED.includes(namespace)) return [];
  return [CONTROL_PLANE_FINDINGS.namespaceNeverInjected({ workload, namespace, exempt: NEVER_INJECTED.join(' and ') })];
}

interface ExtensionNamespaceFacts {
  /** `linkerd check` finds the extension by it. */
  readonly extension: 'viz' | 'jaeger' | 'multicluster';
  readonly cni: boolean;
  /** A URL, so that `linkerd viz check` does not expect a Prometheus of Viz. */
  readonly externalPrometheus?: string;
}

/**
 * Returns the labels and annotations of an extension's namespace: those that the charts' metadata jobs would set, and
 * injection.
 */
export function extensionNamespace({ extension, cni, externalPrometheus }: ExtensionNamespaceFacts): NamespaceMetadata {
  return {
    labels: {
      [EXTENSION]: extension,
      [POD_SECURITY_ENFORCE]: cni ? 'restricted' : 'privileged',
    },
    annotations: {
      [INJECT]: 'enabled',
      [PROXY_AWAIT]: 'enabled',
      ...(externalPrometheus === undefined ? {} : { [VIZ_EXTERNAL_PROMETHEUS]: externalPrometheus }),
    },
  };
}
