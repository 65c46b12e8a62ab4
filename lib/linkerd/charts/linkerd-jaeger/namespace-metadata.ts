import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { applicationLabels } from '../metadata/labels';
import { NAMESPACE_METADATA, namespaceMetadataObjects } from '../metadata/namespace-metadata';
import { unprivileged } from '../pod/security-context';
import { print } from '../print';
import type { RenderContext } from '../render-context';
import type { JaegerView } from './jaeger-view';
import { creator, JAEGER, withCommonLabels } from './metadata';
import { scheduling } from './workload';

/** Renders the job that labels the extension's namespace, where whoever made it did not, and its permissions. */
export function namespaceMetadata(values: JaegerView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const { imagePullPolicy, linkerdNamespace, namespaceMetadata: own } = values;
  const labels = { ...JAEGER, ...applicationLabels(NAMESPACE_METADATA, values.linkerdVersion) };
  return namespaceMetadataObjects({
    namespace,
    linkerdNamespace: linkerdNamespace ?? '',
    prefix: 'jaeger',
    annotations: creator(values),
    labels: withCommonLabels(values),
    jobLabels: withCommonLabels(values, labels),
    podLabels: { ...labels, ...values.podLabels },
    serviceAccount: (metadata) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata }),
    pod: scheduling(own),
    container: {
      image: print`${own.image.registry}/${own.image.name}:${own.image.tag}`,
      imagePullPolicy: own.image.pullPolicy || imagePullPolicy,
      securityContext: unprivileged(values.defaultUID, undefined),
      args: ['--extension', 'jaeger', '--namespace', namespace, '--linkerd-namespace', print`${linkerdNamespace}`],
    },
  });
}
