import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { isEmpty } from '../../empty';
import { applicationLabels } from '../../metadata/labels';
import { apiAccessMounts, apiAccessVolumes } from '../../pod/kube-api-access';
import { CERTIFICATE_MOUNT, certificateVolume } from '../../pod/serving-certificate';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import { trustDomain } from '../../trust-domain';
import { namespacedComponent } from '../metadata/labels';
import type { VizView } from '../viz-view';
import { container } from '../workload/container';
import { componentAffinity, deployment, rollout } from '../workload/deployment';
import { logArguments, NO_PROFILES } from '../workload/logging';
import { podAnnotations, SAFE_TO_EVICT } from '../workload/pod-annotations';

/** The API by which people watch requests pass through proxies. */
export function tapDeployment(values: VizView, context: RenderContext): KubernetesObject {
  const own = values.tap;
  const labels = namespacedComponent('tap', context.namespace);
  return deployment(values, context, {
    name: 'tap',
    replicas: own.replicas,
    strategy: rollout(values),
    labels: { ...applicationLabels('tap', values.linkerdVersion), ...labels },
    selector: labels,
    podLabels: labels,
    podAnnotations: { ...podAnnotations(values, own.proxy), ...SAFE_TO_EVICT },
    placement: values,
    pod: {
      affinity: componentAffinity(values, 'tap'),
      containers: [
        container(values, own, {
          name: 'tap',
          args: tapArguments(values),
          ports: [
            { containerPort: 8088, name: 'grpc' },
            { containerPort: 8089, name: 'apiserver' },
          ],
          adminPort: 9998,
          volumeMounts: [CERTIFICATE_MOUNT, ...apiAccessMounts(values)],
        }),
      ],
      volumes: [certificateVolume('tap'), ...apiAccessVolumes(values)],
    },
  });
}

function tapArguments(values: VizView): readonly string[] {
  const { ignoreHeaders = [] } = values.tap;
  return [
    'api',
    print`-api-namespace=${values.linkerdNamespace}`,
    ...logArguments(values, values.tap),
    `-identity-trust-domain=${trustDomain(values)}`,
    NO_PROFILES,
    ...(isEmpty(ignoreHeaders) ? [] : [`-ignore-headers=${ignoreHeaders.join(',')}`]),
  ];
}
