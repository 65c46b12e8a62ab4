import { INJECTED, MULTUS_ENABLED } from '#linkerd/annotation-values';
import { CONTROL_PLANE_COMPONENT, INJECT, MULTUS } from '#linkerd/annotations';
import { type MeshNamespaces, unattachedNamespaces } from '../multus/unattached-namespaces';
import { FIELD_MANAGER } from '../names';
import type { MutatingWebhook } from './webhook';

/** The path of the webhook, the same as in linkerd-multus-attach-operator: its configurations keep working. */
export const POD_WEBHOOK_PATH = '/annotate-multus-v1-pod';

/** The namespaces of the operator and of the CNI plugin. */
export interface PodWebhookPlaces extends MeshNamespaces {
  readonly operatorNamespace: string;
  /** Namespaces, in addition to the control plane's, whose pods may attach; absent for all. */
  readonly workloadNamespaces?: readonly string[];
}

/**
 * Returns the webhook that attaches pods to linkerd-cni. It skips pods of kube-system, of the CNI plugin, of the
 * operator and on the host's network. While the operator is down it blocks no pod, but new pods do not attach.
 */
export function podWebhook(places: PodWebhookPlaces): MutatingWebhook {
  const { workloadNamespaces, linkerdNamespace } = places;
  return {
    kind: 'mutating',
    // Runs before linkerd-proxy-injector-webhook-config, which reads the proxy's user that this webhook sets.
    configuration: 'linkerd-multus-webhook-config',
    name: 'multus.linkerd.io',
    path: POD_WEBHOOK_PATH,
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: 'Namespaced' }],
    failurePolicy: 'Ignore',
    // Limits the wait for an operator whose node does not even refuse the connection.
    timeoutSeconds: 3,
    // A later webhook may write the same annotation, or mesh the pod.
    reinvocationPolicy: 'IfNeeded',
    namespaceSelector: {
      matchExpressions: [
        {
          key: 'kubernetes.io/metadata.name',
          operator: 'NotIn',
          values: [...unattachedNamespaces(places), places.operatorNamespace],
        },
        // Other namespaces have no network.
        ...(workloadNamespaces === undefined
          ? []
          : [
              {
                key: 'kubernetes.io/metadata.name',
                operator: 'In' as const,
                values: [...new Set([linkerdNamespace, ...workloadNamespaces])],
              },
            ]),
      ],
    },
    objectSelector: {
      matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'NotIn', values: [FIELD_MANAGER] }],
    },
    matchConditions: [
      { name: 'not-on-host-network', expression: '!object.spec.?hostNetwork.orValue(false)' },
      { name: 'may-attach', expression: MAY_ATTACH },
    ],
  };
}

/** Matches pods that do not opt out themselves: CEL cannot read the annotations of their namespaces. */
const MAY_ATTACH = [
  `'${CONTROL_PLANE_COMPONENT}' in object.metadata.?labels.orValue({})`,
  `(${saysOneOf(MULTUS, [MULTUS_ENABLED])} && ${saysOneOf(INJECT, INJECTED)})`,
].join(' || ');

/** Returns an expression that is true if the pod's annotation has one of the values, or is missing or empty. */
function saysOneOf(annotation: string, values: readonly string[]): string {
  const list = ['', ...values].map((value) => `'${value}'`).join(', ');
  return `object.metadata.?annotations[?'${annotation}'].orValue('') in [${list}]`;
}
