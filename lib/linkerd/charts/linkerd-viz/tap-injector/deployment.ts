import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { apiAccessMounts, apiAccessVolumes } from '../../pod/kube-api-access';
import { CERTIFICATE_MOUNT, certificateVolume } from '../../pod/serving-certificate';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import { trustDomain } from '../../trust-domain';
import { applicationName, component } from '../metadata/labels';
import type { VizView } from '../viz-view';
import { container } from '../workload/container';
import { componentAffinity, deployment, rollout } from '../workload/deployment';
import { logArguments, NO_PROFILES } from '../workload/logging';
import { podAnnotations, SAFE_TO_EVICT } from '../workload/pod-annotations';

const NAME = 'tap-injector';

/** The webhook that tells proxies from whom they take orders to show their requests. */
export function tapInjectorDeployment(values: VizView, context: RenderContext): KubernetesObject {
  const own = values.tapInjector;
  return deployment(values, context, {
    name: NAME,
    replicas: own.replicas,
    strategy: rollout(values),
    labels: { ...applicationName(NAME), ...component(NAME) },
    selector: { component: NAME },
    podLabels: component(NAME),
    podAnnotations: { ...podAnnotations(values, own.proxy), ...SAFE_TO_EVICT },
    placement: values,
    pod: {
      affinity: componentAffinity(values, NAME),
      containers: [
        container(values, own, {
          name: NAME,
          args: [
            'injector',
            `-tap-service-name=${tapIdentity(values, context)}`,
            ...logArguments(values, own),
            NO_PROFILES,
          ],
          ports: [{ containerPort: 8443, name: NAME }],
          adminPort: 9995,
          volumeMounts: [CERTIFICATE_MOUNT, ...apiAccessMounts(values)],
        }),
      ],
      volumes: [certificateVolume(NAME), ...apiAccessVolumes(values)],
    },
  });
}

function tapIdentity(values: VizView, { namespace }: RenderContext): string {
  return print`tap.${namespace}.serviceaccount.identity.${values.linkerdNamespace}.${trustDomain(values)}`;
}
