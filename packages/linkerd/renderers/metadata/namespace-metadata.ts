import type { Container, Job, ObjectMeta, PodSpec } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { INJECT } from '../../annotations';
import { POD_SECURITY } from '../pod/security-context';
import { account, role, roleBinding } from './rbac';

/**
 * Returns the annotations of objects that are created after each sync and deleted when done. They are hooks of Helm, as
 * in the charts: Argo CD treats them as its own PostSync hook, both for charts and for manifests
 * (https://argo-cd.readthedocs.io/en/stable/user-guide/helm/#helm-hooks).
 */
function hookAnnotations(weight: 0 | 1): Record<string, string> {
  return {
    'helm.sh/hook': 'post-install',
    'helm.sh/hook-weight': `${weight}`,
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
  };
}

/** The name of the job, of its container and of its ServiceAccount, in each extension. */
export const NAMESPACE_METADATA = 'namespace-metadata';

interface NamespaceMetadata {
  readonly namespace: string;
  readonly linkerdNamespace: string;
  /** The extension, which is the prefix of the binding's name in the control plane's namespace. */
  readonly prefix: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly jobLabels: Readonly<Record<string, string>> | undefined;
  readonly podLabels: Readonly<Record<string, string>>;
  readonly serviceAccount: (
    metadata: ObjectMeta & Required<Pick<ObjectMeta, 'name' | 'namespace'>>,
  ) => KubernetesObject;
  readonly pod: Partial<PodSpec>;
  readonly container: Omit<Container, 'name'>;
}

/** Renders the job that labels an extension's namespace, if its manifest does not, and its permissions. */
export function namespaceMetadataObjects(parts: NamespaceMetadata): readonly KubernetesObject[] {
  return [...permissions(parts), job(parts)];
}

function permissions(parts: NamespaceMetadata): readonly KubernetesObject[] {
  const { namespace, linkerdNamespace, prefix, labels, serviceAccount } = parts;
  const metadata = { labels, annotations: { ...parts.annotations, ...hookAnnotations(0) } };
  const own = { ...metadata, name: NAMESPACE_METADATA, namespace };
  const subjects = [account(NAMESPACE_METADATA, namespace)];
  return [
    serviceAccount(own),
    role(own, [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'patch'], resourceNames: [namespace] }]),
    roleBinding(own, ['Role', NAMESPACE_METADATA], subjects),
    roleBinding(
      { ...metadata, name: `${prefix}-${NAMESPACE_METADATA}-linkerd-config`, namespace: linkerdNamespace },
      ['Role', `ext-${NAMESPACE_METADATA}-linkerd-config`],
      subjects,
    ),
  ];
}

function job({ namespace, annotations, jobLabels, podLabels, pod, container }: NamespaceMetadata): KubernetesObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: NAMESPACE_METADATA,
      namespace,
      labels: jobLabels,
      annotations: { ...annotations, ...hookAnnotations(1) },
    },
    spec: {
      template: {
        metadata: { annotations: { ...annotations, [INJECT]: 'disabled' }, labels: podLabels },
        spec: {
          ...pod,
          restartPolicy: 'Never',
          securityContext: POD_SECURITY,
          serviceAccountName: NAMESPACE_METADATA,
          containers: [{ name: NAMESPACE_METADATA, ...container }],
        },
      },
    },
  } satisfies Job;
}
