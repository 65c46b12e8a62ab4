import type { Construct, IConstruct } from 'constructs';
import { objectsAround } from '../../gitops/tree/api-objects';
import { ensureNamespace } from '../../gitops/tree/namespace';
import * as keys from '../../linkerd/annotations';
import type { NeededNamespace } from './injector-selector';

/** The facts that the namespaces of a control plane depend on. */
export interface ControlPlaneNamespaces {
  readonly namespace: string;
  /** Tells whether the CNI plugin redirects traffic, so that no pod needs an init container with NET_ADMIN. */
  readonly cni: boolean;
  /** Tells whether pods are refused while no injector answers. */
  readonly failsClosed: boolean;
  /** Namespace of the cert-manager that gives the injector its certificate. */
  readonly certManagerNamespace: string;
}

/** The injector's webhook leaves it out by name; cert-manager elsewhere needs the label. */
const USUAL_CERT_MANAGER_NAMESPACE = 'cert-manager';

/**
 * The control plane's namespace, labelled as by `linkerd install`.
 *
 * Where the injector fails closed, the namespaces of what it needs itself are out of its reach: with a cluster's network
 * and DNS, or cert-manager, waiting for the injector and the injector for them, neither would ever start
 * (https://linkerd.io/2-edge/features/ha/#exclude-the-kube-system-namespace).
 */
export function ensureControlPlaneNamespaces(scope: Construct, options: ControlPlaneNamespaces): void {
  ensureNamespace(scope, options.namespace, {
    labels: {
      [keys.IS_CONTROL_PLANE]: 'true',
      [keys.ADMISSION_WEBHOOKS]: 'disabled',
      [keys.CONTROL_PLANE_NS]: options.namespace,
      [keys.POD_SECURITY_ENFORCE]: options.cni ? 'restricted' : 'privileged',
    },
    annotations: { [keys.INJECT]: 'disabled' },
  });
  if (!options.failsClosed) return;
  const needed = new Set(['kube-system', options.certManagerNamespace]);
  needed.delete(USUAL_CERT_MANAGER_NAMESPACE);
  for (const name of needed) ensureNamespace(scope, name, { labels: { [keys.ADMISSION_WEBHOOKS]: 'disabled' } });
}

/** Namespaces of what the injector itself needs to start, with the labels that they have in the chart of `scope`. */
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
