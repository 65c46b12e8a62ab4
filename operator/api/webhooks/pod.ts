import { CONTROL_PLANE_COMPONENT, INJECT, INJECTED, MULTUS, MULTUS_ENABLED } from '../multus/annotations';
import { type MeshNamespaces, unattachedNamespaces } from '../multus/unattached-namespaces';
import { FIELD_MANAGER } from '../names';
import type { MutatingWebhook } from './webhook';

/** The path of the webhook, which is that of linkerd-multus-attach-operator: configurations of that keep working. */
export const POD_WEBHOOK_PATH = '/annotate-multus-v1-pod';

/** The namespaces of the operator and of what it attaches pods to. */
export interface PodWebhookPlaces extends MeshNamespaces {
  readonly operatorNamespace: string;
  /** Namespaces besides the control plane's whose pods may attach; absent for all. */
  readonly workloadNamespaces?: readonly string[];
}

/**
 * The webhook that attaches pods to linkerd-cni. It cannot hold up a pod of kube-system, of the CNI plugin, on the
 * host's network, or of the operator; nor any other when the operator is down. A pod that is created meanwhile does not
 * attach.
 */
export function podWebhook(places: PodWebhookPlaces): MutatingWebhook {
  const { workloadNamespaces, linkerdNamespace } = places;
  return {
    kind: 'mutating',
    // Before linkerd-proxy-injector-webhook-config, which reads the proxy's user that this one sets.
    configuration: 'linkerd-multus-webhook-config',
    name: 'multus.linkerd.io',
    path: POD_WEBHOOK_PATH,
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: 'Namespaced' }],
    failurePolicy: 'Ignore',
    // Nobody waits longer than that for an operator whose node does not even refuse the connection.
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
        // Nobody makes the network of another one.
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

/** The expression for pods that do not opt out themselves; what their namespaces say is not known here. */
const MAY_ATTACH = [
  `'${CONTROL_PLANE_COMPONENT}' in object.metadata.?labels.orValue({})`,
  `(${saysOneOf(MULTUS, [MULTUS_ENABLED])} && ${saysOneOf(INJECT, INJECTED)})`,
].join(' || ');

/** Tells whether the pod's annotation has one of the values, or is missing or empty. */
function saysOneOf(annotation: string, values: readonly string[]): string {
  const list = ['', ...values].map((value) => `'${value}'`).join(', ');
  return `object.metadata.?annotations[?'${annotation}'].orValue('') in [${list}]`;
}
