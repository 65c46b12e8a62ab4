import type { Container } from '../../../../../imports/kubernetes';
import { IDENTITY_ISSUER, TRUST_ROOTS } from '../../../../../operator/api/trust-anchor';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { addedEnvironment, env } from '../../pod/environment';
import { apiAccessVolumes } from '../../pod/kube-api-access';
import { livenessProbe, readinessProbe } from '../../pod/probes';
import { resources } from '../../pod/resources';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import { trustDomain } from '../../trust-domain';
import type { ControlPlaneView } from '../control-plane-view';
import { controller } from '../pod/controller';
import { portName } from '../pod/port-name';
import { identityPod } from '../proxy/control-plane-pods';
import { meshedContainers } from '../proxy/meshed-containers';
import { proxyVolumes } from '../proxy/volumes';
import { podAnnotations } from '../workload/annotations';
import { deployment, podSelector } from '../workload/deployment';
import { tracingArguments } from '../workload/tracing-arguments';

const ADMIN_PORT = 9990;

/** The controller that issues certificates to proxies. */
export function identityDeployment(values: ControlPlaneView, context: RenderContext): KubernetesObject {
  return deployment(values, context, {
    component: 'identity',
    selector: podSelector('identity', context.namespace),
    annotations: podAnnotations(values, values.identity.podAnnotations),
    pod: {
      ...meshedContainers(values, context, identityPod(values), [identityContainer(values, context)]),
      volumes: [
        { name: 'identity-issuer', secret: { secretName: IDENTITY_ISSUER } },
        { name: 'trust-roots', configMap: { name: TRUST_ROOTS } },
        ...apiAccessVolumes(values),
        ...proxyVolumes(values),
      ],
    },
  });
}

function identityContainer(values: ControlPlaneView, { namespace }: RenderContext): Container {
  const { identity } = values;
  return controller(
    values,
    {
      name: 'identity',
      args: [
        'identity',
        print`-log-level=${values.controllerLogLevel}`,
        print`-log-format=${values.controllerLogFormat}`,
        `-controller-namespace=${namespace}`,
        `-identity-trust-domain=${trustDomain(values)}`,
        print`-identity-issuance-lifetime=${identity.issuer.issuanceLifetime}`,
        print`-identity-clock-skew-allowance=${identity.issuer.clockSkewAllowance}`,
        print`-identity-scheme=${identity.issuer.scheme}`,
        `-enable-pprof=${values.enablePprof ?? false}`,
        print`-kube-apiclient-qps=${identity.kubeAPI.clientQPS}`,
        print`-kube-apiclient-burst=${identity.kubeAPI.clientBurst}`,
        ...tracingArguments(values),
      ],
      env: [
        env('LINKERD_DISABLED', 'linkerd-await cannot block the identity controller'),
        ...addedEnvironment(identity),
      ],
      livenessProbe: livenessProbe(identity.livenessProbe, ADMIN_PORT),
      readinessProbe: readinessProbe(identity.readinessProbe, ADMIN_PORT),
      ports: [
        { containerPort: 8080, name: portName(values, 'ident-grpc') },
        { containerPort: ADMIN_PORT, name: portName(values, 'ident-admin') },
      ],
      resources: resources(values.identityResources),
    },
    [
      { mountPath: '/var/run/linkerd/identity/issuer', name: 'identity-issuer' },
      { mountPath: '/var/run/linkerd/identity/trust-roots/', name: 'trust-roots' },
    ],
  );
}
