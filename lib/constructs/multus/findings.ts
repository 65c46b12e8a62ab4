import { catalogue } from '#base/findings/catalogue';

const containsNamespace = ({ namespace }: { namespace: string }) => `namespaces of MultusAttach contains ${namespace}`;
const removeNamespace = ({ namespace }: { namespace: string }) => `remove ${namespace} from namespaces`;

/** Findings about Multus. */
export const MULTUS_FINDINGS = catalogue({
  'multus-without-cni': {
    severity: 'error',
    what: ({ needing }: { needing: string }) => `${needing} needs a CNI plugin, but the control plane has no cni`,
    why: 'Multus would run a plugin that is not installed, and no pod that attaches would start',
    fix: ({ needing }: { needing: string }) =>
      `set the prop cni of LinkerdControlPlane to a LinkerdCni or to LinkerdCni.fromExisting(), or remove ${needing}`,
  },
  'namespace-not-attachable/system': {
    severity: 'error',
    what: containsNamespace,
    why: 'The pods in kube-system set up the network: attaching them would have to wait for that network',
    fix: removeNamespace,
  },
  'namespace-not-attachable/plugin': {
    severity: 'error',
    what: containsNamespace,
    why: 'The pods of the CNI plugin run in this namespace, and cannot wait for the plugin',
    fix: removeNamespace,
  },
  'namespace-not-attached': {
    severity: 'error',
    what: ({ namespace }: { namespace: string }) =>
      `Namespace ${namespace} is meshed, but is not one of the namespaces of MultusAttach`,
    why: 'Nothing redirects the traffic of its pods to their proxies: linkerd-network-validator fails, and the pods do not start',
    fix: ({ namespace }: { namespace: string }) => `add "${namespace}" to namespaces`,
  },
  'operator-namespace-taken': {
    severity: 'error',
    what: ({ field, namespace, owner }: Record<'field' | 'namespace' | 'owner', string>) =>
      `${field} is ${namespace}, the namespace of the ${owner}`,
    why: "The operator's webhook, which attaches pods to the network of Multus, skips its own namespace: other pods in it would not be attached",
    fix: 'use a separate namespace for the operator',
  },
  'proxy-user-unset': {
    severity: 'warning',
    what: ({ namespaces }: { namespaces: string }) =>
      `No operator attaches pods through Multus, and the user of the proxies in ${namespaces} is not set`,
    why: 'OpenShift refuses pods whose proxy runs as a user outside the range of the namespace',
    fix: 'set proxyUid of these namespaces, or set operatorNamespace to the namespace of an operator, which sets the user',
  },
});
