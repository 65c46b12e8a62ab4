import type { Container } from '../../../../../imports/kubernetes';
import { TRUST_ROOTS } from '../../../../../operator/api/trust-anchor';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { OPAQUE_PORTS } from '../../../annotations';
import { component } from '../../metadata/labels';
import { addedEnvironment } from '../../pod/environment';
import { apiAccessVolumes } from '../../pod/kube-api-access';
import { livenessProbe, readinessProbe } from '../../pod/probes';
import { resources } from '../../pod/resources';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { sha256 } from '../metadata/sha256';
import { controller } from '../pod/controller';
import { portName } from '../pod/port-name';
import { proxyInjectorPod } from '../proxy/control-plane-pods';
import { meshedContainers } from '../proxy/meshed-containers';
import { proxyVolumes } from '../proxy/volumes';
import { podAnnotations } from '../workload/annotations';
import { deployment } from '../workload/deployment';

const WEBHOOK_PORT = 8443;
const ADMIN_PORT = 9995;

/**
 * The webhook that gives pods their proxy. It restarts when the configuration does that it gives to proxies.
 *
 * @param config - text of the values in the `linkerd-config` ConfigMap
 */
export function proxyInjectorDeployment(
  values: ControlPlaneView,
  context: RenderContext,
  config: string,
): KubernetesObject {
  return deployment(values, context, {
    component: 'proxy-injector',
    selector: component('proxy-injector'),
    annotations: {
      'checksum/config': sha256(config),
      ...podAnnotations(values, values.identity.podAnnotations),
      [OPAQUE_PORTS]: `${WEBHOOK_PORT}`,
    },
    pod: {
      ...meshedContainers(values, context, proxyInjectorPod(values), [proxyInjectorContainer(values, context)]),
      volumes: [
        { name: 'config', configMap: { name: 'linkerd-config' } },
        { name: 'trust-roots', configMap: { name: TRUST_ROOTS } },
        { name: 'tls', secret: { secretName: 'linkerd-proxy-injector-k8s-tls' } },
        ...apiAccessVolumes(values),
        ...proxyVolumes(values),
      ],
    },
  });
}

function proxyInjectorContainer(values: ControlPlaneView, { namespace }: RenderContext): Container {
  const { proxyInjector: own } = values;
  const env = addedEnvironment(own);
  return controller(
    values,
    {
      name: 'proxy-injector',
      args: [
        'proxy-injector',
        print`-log-level=${values.controllerLogLevel}`,
        print`-log-format=${values.controllerLogFormat}`,
        `-linkerd-namespace=${namespace}`,
        `-enable-pprof=${values.enablePprof ?? false}`,
      ],
      ...(env.length > 0 ? { env } : {}),
      livenessProbe: livenessProbe(own.livenessProbe, ADMIN_PORT),
      readinessProbe: readinessProbe(own.readinessProbe, ADMIN_PORT),
      ports: [
        { containerPort: WEBHOOK_PORT, name: 'proxy-injector' },
        { containerPort: ADMIN_PORT, name: portName(values, 'injector-admin') },
      ],
      resources: resources(values.proxyInjectorResources),
    },
    [
      { mountPath: '/var/run/linkerd/config', name: 'config' },
      { mountPath: '/var/run/linkerd/identity/trust-roots', name: 'trust-roots' },
      { mountPath: '/var/run/linkerd/tls', name: 'tls', readOnly: true },
    ],
  );
}
