import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { applicationLabels } from '../metadata/labels';
import { NAMESPACE_METADATA, namespaceMetadataObjects } from '../metadata/namespace-metadata';
import { serviceAccount } from '../metadata/service-account';
import { apiAccessMounts, apiAccessVolumes, tokenAutomount } from '../pod/kube-api-access';
import { unprivileged } from '../pod/security-context';
import { print } from '../print';
import type { RenderContext } from '../render-context';
import { placement } from './gateway';
import { creator, labels, MULTICLUSTER } from './metadata';
import type { MulticlusterView } from './multicluster-view';

/** The job that labels the extension's namespace, where whoever made it did not, and its permissions. */
export function namespaceMetadata(values: MulticlusterView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const { namespaceMetadata: own, gateway, linkerdNamespace = '' } = values;
  const application = { ...MULTICLUSTER, ...applicationLabels(NAMESPACE_METADATA, values.linkerdVersion) };
  return namespaceMetadataObjects({
    namespace,
    linkerdNamespace,
    prefix: 'mc',
    annotations: creator(values),
    labels: labels(values),
    jobLabels: labels(values, application),
    podLabels: { ...application, ...values.podLabels },
    serviceAccount: (metadata) => serviceAccount(values, metadata),
    pod: { ...placement(own), ...tokenAutomount(values), volumes: apiAccessVolumes(values) },
    container: {
      image: print`${own.image.registry}/${own.image.name}:${own.image.tag}`,
      imagePullPolicy: own.image.pullPolicy || values.imagePullPolicy,
      args: ['--extension', 'multicluster', '--namespace', namespace, '--linkerd-namespace', linkerdNamespace],
      // The chart has no user for it but the gateway's.
      securityContext: unprivileged(gateway.UID, gateway.GID),
      volumeMounts: apiAccessMounts(values),
    },
  });
}
