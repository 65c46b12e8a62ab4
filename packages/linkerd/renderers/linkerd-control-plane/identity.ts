import { IDENTITY_ISSUER, TRUST_ROOTS, TRUST_ROOTS_KEY } from '#anchor/trust-anchor';
import type { ConfigMap, Container } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { RenderContext } from '../../charts/render-context';
import { createdBy } from '../metadata/created-by';
import { component, labels } from '../metadata/labels';
import { account, clusterRole, clusterRoleBinding } from '../metadata/rbac';
import { addedEnvironment, env } from '../pod/environment';
import { apiAccessVolumes } from '../pod/kube-api-access';
import { livenessProbe, readinessProbe } from '../pod/probes';
import { resources } from '../pod/resources';
import { print } from '../print';
import { trustDomain } from '../trust-domain';
import type { ControlPlaneView } from './control-plane-view';
import { serviceAccount } from './metadata';
import { meshedContainers } from './proxy/meshed-containers';
import { identityPod } from './proxy/meshed-pod';
import { proxyVolumes } from './proxy/volumes';
import { controller, deployment, podAnnotations, podSelector, portName, service, tracingArguments } from './workload';

const ADMIN_PORT = 9990;

/** Renders the Deployment of the controller that issues certificates to proxies. */
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

/** Renders the trust anchors, unless they are managed externally. */
export function trustRoots(values: ControlPlaneView, { namespace }: RenderContext): readonly KubernetesObject[] {
  if (values.identity.externalCA) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: TRUST_ROOTS,
        namespace,
        labels: labels(values, namespace, component('identity')),
        annotations: createdBy(values),
      },
      data: { [TRUST_ROOTS_KEY]: (values.identityTrustAnchorsPEM ?? '').trim() },
    } satisfies ConfigMap,
  ];
}

/** Renders the Services from which proxies get certificates. Proxies use the headless one, to balance themselves. */
export function identityServices(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const identity = { component: 'identity', port: { name: 'grpc', port: 8080, targetPort: 8080 } };
  return [
    service(values, context, { ...identity, name: 'linkerd-identity' }),
    service(values, context, { ...identity, name: 'linkerd-identity-headless', isHeadless: true }),
  ];
}

/** Renders the permissions of the identity controller: check tokens of proxies, and emit events. */
export function identityRbac(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  const metadata = { name: `linkerd-${namespace}-identity`, labels: labels(values, namespace, component('identity')) };
  return [
    serviceAccount(values, context, 'identity'),
    clusterRole(metadata, [
      { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
      { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
    ]),
    clusterRoleBinding(metadata, metadata.name, [account('linkerd-identity', namespace)]),
  ];
}
