import type { Container, Job } from '../../../../imports/kubernetes';
import { INJECT } from '../../../kubernetes/annotations';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { unlessEmpty } from '../../empty';
import { hookAnnotations } from '../../metadata/hook';
import { applicationLabels } from '../../metadata/labels';
import { apiAccessMounts, apiAccessVolumes, tokenAutomount } from '../../pod/kube-api-access';
import { POD_SECURITY, unprivileged } from '../../pod/security-context';
import type { RenderContext } from '../../render-context';
import { creator } from '../metadata/creator';
import { VIZ, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';
import { scheduling } from '../workload/deployment';
import { releasedImage } from '../workload/images';

const NAME = 'namespace-metadata';

/** The job that labels the namespace of Viz, where whoever made it did not. */
export function namespaceMetadataJob(values: VizView, context: RenderContext): KubernetesObject {
  const labels = { ...applicationLabels(NAME, values.linkerdVersion), ...VIZ };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: NAME,
      namespace: context.namespace,
      labels: withCommonLabels(values, labels),
      annotations: { ...creator(values), ...hookAnnotations(1) },
    },
    spec: {
      template: {
        metadata: {
          annotations: { ...creator(values), [INJECT]: 'disabled' },
          labels: { ...labels, ...values.podLabels },
        },
        spec: {
          ...scheduling(values.namespaceMetadata),
          ...tokenAutomount(values),
          containers: [jobContainer(values, context)],
          restartPolicy: 'Never',
          securityContext: POD_SECURITY,
          serviceAccountName: NAME,
          volumes: unlessEmpty(apiAccessVolumes(values)),
        },
      },
    },
  } satisfies Job;
}

function jobContainer(values: VizView, { namespace }: RenderContext): Container {
  const options: Readonly<Record<string, string | undefined>> = {
    '--log-format': values.defaultLogFormat,
    '--log-level': values.defaultLogLevel,
    '--extension': 'viz',
    '--namespace': namespace,
    '--linkerd-namespace': values.linkerdNamespace,
    ...(values.prometheusUrl ? { '--prometheus-url': values.prometheusUrl } : {}),
  };
  return {
    name: NAME,
    ...releasedImage(values, values.namespaceMetadata.image),
    args: Object.entries(options).flatMap(([option, value = '']) => [option, value]),
    securityContext: unprivileged(values.defaultUID, values.defaultGID),
    volumeMounts: unlessEmpty(apiAccessMounts(values)),
  };
}
