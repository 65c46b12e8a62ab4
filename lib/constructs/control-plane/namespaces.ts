import type { Construct, IConstruct } from 'constructs';
import {
  ADMISSION_WEBHOOKS,
  CONTROL_PLANE_NS,
  EXTENSION,
  INJECT,
  IS_CONTROL_PLANE,
  POD_SECURITY_ENFORCE,
  PROXY_AWAIT,
  VIZ_EXTERNAL_PROMETHEUS,
} from '#linkerd/annotations';
import type { NeededNamespace } from '../../checks/linkerd/injector-deadlock';
import { objectsAround } from '../../gitops/tree/api-objects';
import { ensureNamespace, type NamespaceMetadata } from '../../gitops/tree/namespace';

interface ControlPlaneNamespaces {
  readonly namespace: string;
  /** The CNI plugin redirects traffic, so that no pod needs an init container with NET_ADMIN. */
  readonly cni: boolean;
  readonly failsClosed: boolean;
  readonly certManagerNamespace: string;
}

/** The injector's webhook excludes this namespace by name. Any other namespace of cert-manager needs a label. */
const USUAL_CERT_MANAGER_NAMESPACE = 'cert-manager';

/**
 * Creates the control plane's namespace with the labels of `linkerd install`.
 *
 * If the injector fails closed, the namespaces of its dependencies are excluded from injection. Otherwise the cluster's
 * network, DNS or cert-manager would wait for the injector, and the injector for them
 * (https://linkerd.io/2-edge/features/ha/#exclude-the-kube-system-namespace).
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

interface ExtensionNamespaceFacts {
  /** The label value by which `linkerd check` finds the extension. */
  readonly extension: 'viz' | 'jaeger' | 'multicluster';
  readonly cni: boolean;
  /** The URL of a Prometheus. With it, `linkerd viz check` does not expect Viz to have its own. */
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
