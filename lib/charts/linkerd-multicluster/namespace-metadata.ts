import type { Job } from '../../../imports/kubernetes';
import { INJECT } from '../../kubernetes/annotations';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { hookAnnotations } from '../metadata/hook';
import { applicationLabels } from '../metadata/labels';
import { account, role, roleBinding } from '../metadata/rbac';
import { serviceAccount } from '../metadata/service-account';
import { apiAccessMounts, apiAccessVolumes, tokenAutomount } from '../pod/kube-api-access';
import { POD_SECURITY, unprivileged } from '../pod/security-context';
import { print } from '../print';
import type { RenderContext } from '../render-context';
import { placement } from './gateway/gateway';
import { creator, labels, MULTICLUSTER } from './metadata';
import type { MulticlusterView } from './multicluster-view';

const NAME = 'namespace-metadata';

/** The job that labels the extension's namespace, where whoever made it did not, and its permissions. */
export function namespaceMetadata(values: MulticlusterView, context: RenderContext): readonly KubernetesObject[] {
  return [...permissions(values, context), job(values, context)];
}

function permissions(values: MulticlusterView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const metadata = { labels: labels(values), annotations: { ...creator(values), ...hookAnnotations(0) } };
  const own = { ...metadata, name: NAME, namespace };
  const subjects = [account(NAME, namespace)];
  return [
    serviceAccount(values, own),
    role(own, [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'patch'], resourceNames: [namespace] }]),
    roleBinding(own, ['Role', NAME], subjects),
    roleBinding(
      { ...metadata, name: `mc-${NAME}-linkerd-config`, namespace: values.linkerdNamespace ?? '' },
      ['Role', `ext-${NAME}-linkerd-config`],
      subjects,
    ),
  ];
}

function job(values: MulticlusterView, { namespace }: RenderContext): KubernetesObject {
  const { namespaceMetadata: own, gateway, linkerdNamespace = '' } = values;
  const application = { ...MULTICLUSTER, ...applicationLabels(NAME, values.linkerdVersion) };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: NAME,
      namespace,
      labels: labels(values, application),
      annotations: { ...creator(values), ...hookAnnotations(1) },
    },
    spec: {
      template: {
        metadata: {
          annotations: { ...creator(values), [INJECT]: 'disabled' },
          labels: { ...application, ...values.podLabels },
        },
        spec: {
          ...placement(own),
          ...tokenAutomount(values),
          restartPolicy: 'Never',
          securityContext: POD_SECURITY,
          serviceAccountName: NAME,
          containers: [
            {
              name: NAME,
              image: print`${own.image.registry}/${own.image.name}:${own.image.tag}`,
              imagePullPolicy: own.image.pullPolicy || values.imagePullPolicy,
              args: ['--extension', 'multicluster', '--namespace', namespace, '--linkerd-namespace', linkerdNamespace],
              // The chart has no user for it but the gateway's.
              securityContext: unprivileged(gateway.UID, gateway.GID),
              volumeMounts: apiAccessMounts(values),
            },
          ],
          volumes: apiAccessVolumes(values),
        },
      },
    },
  } satisfies Job;
}
