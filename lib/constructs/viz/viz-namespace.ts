import type { NamespaceMetadata } from '../../gitops/tree/namespace';
import {
  EXTENSION,
  INJECT,
  POD_SECURITY_ENFORCE,
  PROXY_AWAIT,
  VIZ_EXTERNAL_PROMETHEUS,
} from '../../linkerd/annotations';

/** The facts that decide an extension namespace's labels and annotations. */
export interface ExtensionNamespaceFacts {
  /** Name of the extension, by which `linkerd check` finds it. */
  readonly extension: 'viz' | 'jaeger' | 'multicluster';
  /**
   * Tells whether the CNI plugin sets up the pods' traffic rules, instead of an init container that needs NET_ADMIN.
   */
  readonly cni: boolean;
  /** URL of the external Prometheus, which makes `linkerd viz check` expect none of its own. */
  readonly externalPrometheus?: string;
}

/** Labels and annotations of an extension's namespace: all that the charts' metadata jobs would set, and injection. */
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
