import { canonicalJson } from '#base/canonical-json';
import type { Container, PolicyRule, RuleWithOperations, ValidatingWebhookConfiguration } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { POLICY_GROUP } from '../../api-groups';
import type { RenderContext } from '../../charts/render-context';
import { isEmpty } from '../empty';
import { component, labels, PART_OF_LINKERD } from '../metadata/labels';
import { account, clusterRole, clusterRoleBinding, role, roleBinding } from '../metadata/rbac';
import { addedEnvironment } from '../pod/environment';
import { apiAccessVolumes } from '../pod/kube-api-access';
import { livenessProbe, readinessProbe } from '../pod/probes';
import { resources } from '../pod/resources';
import { print } from '../print';
import { trustDomain } from '../trust-domain';
import type { ControlPlaneView } from './control-plane-view';
import { serviceAccount } from './metadata';
import { GATEWAY_GROUP, gatewayRoutes, policyContainer, policyResources } from './policy-controller';
import { meshedContainers } from './proxy/meshed-containers';
import { destinationPod } from './proxy/meshed-pod';
import { proxyVolumes } from './proxy/volumes';
import { type Webhook, webhookBase, webhookMetadata } from './webhook';
import { controller, deployment, podAnnotations, podSelector, portName, service, tracingArguments } from './workload';

/** Renders the Deployment of the controllers that send endpoints and policies to proxies, with their webhooks. */
export function destinationDeployment(values: ControlPlaneView, context: RenderContext): KubernetesObject {
  return deployment(values, context, {
    component: 'destination',
    selector: podSelector('destination', context.namespace),
    annotations: podAnnotations(values, values.destinationController.podAnnotations),
    pod: {
      ...meshedContainers(values, context, destinationPod(values), [
        destinationContainer(values, context),
        spValidatorContainer(values),
        policyContainer(values, context),
      ]),
      volumes: [
        { name: 'sp-tls', secret: { secretName: 'linkerd-sp-validator-k8s-tls' } },
        { name: 'policy-tls', secret: { secretName: 'linkerd-policy-validator-k8s-tls' } },
        ...apiAccessVolumes(values),
        ...proxyVolumes(values),
      ],
    },
  });
}

const ADMIN_PORT = 9996;

function destinationContainer(values: ControlPlaneView, { namespace }: RenderContext): Container {
  const { destinationController: own, templates } = values;
  const env = addedEnvironment(own);
  return controller(values, {
    name: 'destination',
    args: [
      'destination',
      '-addr=:8086',
      `-controller-namespace=${namespace}`,
      ...(templates.proxyBounds ? [print`-outbound-transport-mode=${values.proxy.outboundTransportMode}`] : []),
      print`-enable-h2-upgrade=${values.enableH2Upgrade}`,
      print`-log-level=${values.controllerLogLevel}`,
      print`-log-format=${values.controllerLogFormat}`,
      print`-enable-endpoint-slices=${values.enableEndpointSlices}`,
      print`-cluster-domain=${values.clusterDomain}`,
      `-identity-trust-domain=${trustDomain(values)}`,
      print`-default-opaque-ports=${values.proxy.opaquePorts}`,
      ...(templates.ipv6 ? [`-enable-ipv6=${!values.disableIPv6}`] : []),
      `-enable-pprof=${values.enablePprof ?? false}`,
      ...(isEmpty(own.meshedHttp2ClientProtobuf)
        ? []
        : [`--meshed-http2-client-params=${canonicalJson(own.meshedHttp2ClientProtobuf)}`]),
      ...(own.additionalArgs ?? []),
      ...(own.experimentalArgs ?? []),
      ...tracingArguments(values),
    ],
    ...(env.length > 0 ? { env } : {}),
    livenessProbe: livenessProbe(own.livenessProbe, ADMIN_PORT),
    readinessProbe: readinessProbe(own.readinessProbe, ADMIN_PORT),
    ports: [
      { containerPort: 8086, name: portName(values, 'dest-grpc') },
      { containerPort: ADMIN_PORT, name: portName(values, 'dest-admin') },
    ],
    resources: resources(values.destinationResources),
  });
}

const PROFILE_ADMIN_PORT = 9997;

function spValidatorContainer(values: ControlPlaneView): Container {
  const { spValidator: own } = values;
  const env = addedEnvironment(own);
  return controller(
    values,
    {
      name: 'sp-validator',
      args: [
        'sp-validator',
        print`-log-level=${values.controllerLogLevel}`,
        print`-log-format=${values.controllerLogFormat}`,
        `-enable-pprof=${values.enablePprof ?? false}`,
      ],
      ...(env.length > 0 ? { env } : {}),
      livenessProbe: livenessProbe(own.livenessProbe, PROFILE_ADMIN_PORT),
      readinessProbe: readinessProbe(own.readinessProbe, PROFILE_ADMIN_PORT),
      ports: [
        { containerPort: 8443, name: 'sp-validator' },
        { containerPort: PROFILE_ADMIN_PORT, name: portName(values, 'spval-admin') },
      ],
      resources: resources(values.spValidatorResources),
    },
    [{ mountPath: '/var/run/linkerd/tls', name: 'sp-tls', readOnly: true }],
  );
}

/**
 * Renders the Services from which proxies get endpoints and policies, and with which API servers validate custom
 * resources.
 */
export function destinationServices(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const component = 'destination';
  const discovery = { component, port: { name: 'grpc', port: 8086, targetPort: 8086 } };
  const policies = { component, port: { name: 'grpc', port: 8090, targetPort: 8090 } };
  const webhook = (port: string) => ({ component, port: { name: port, port: 443, targetPort: port } });
  return [
    service(values, context, { ...discovery, name: 'linkerd-dst' }),
    service(values, context, { ...discovery, name: 'linkerd-dst-headless', isHeadless: true }),
    service(values, context, { ...policies, name: 'linkerd-policy', isHeadless: true }),
    service(values, context, { ...webhook('policy-https'), name: 'linkerd-policy-validator' }),
    service(values, context, { ...webhook('sp-validator'), name: 'linkerd-sp-validator' }),
  ];
}

const WRITES = ['CREATE', 'UPDATE'] as const;

const PROFILE_RULES: readonly RuleWithOperations[] = [
  {
    operations: WRITES,
    apiGroups: ['linkerd.io'],
    apiVersions: ['v1alpha1', 'v1alpha2'],
    resources: ['serviceprofiles'],
  },
];

const POLICIES = [
  'authorizationpolicies',
  'httplocalratelimitpolicies',
  'httproutes',
  'networkauthentications',
  'meshtlsauthentications',
  'serverauthorizations',
  'servers',
  'egressnetworks',
];

function policyRules({ templates }: ControlPlaneView): readonly RuleWithOperations[] {
  const rule = (group: string, resources: readonly string[]) => ({
    operations: WRITES,
    apiGroups: [group],
    apiVersions: ['*'],
    resources,
  });
  return [
    rule(POLICY_GROUP, policyResources(templates, POLICIES)),
    ...(templates.egressAndExternalWorkloads ? [rule(GATEWAY_GROUP, gatewayRoutes(templates))] : []),
  ];
}

/** Renders the webhooks that validate ServiceProfiles, policies and routes. */
export function validatingWebhooks(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const component = 'destination';
  const profiles: Webhook = { service: 'linkerd-sp-validator', component, values: values.profileValidator };
  const policies: Webhook = { service: 'linkerd-policy-validator', component, values: values.policyValidator };
  const configuration = (webhook: Webhook, rules: readonly RuleWithOperations[]) =>
    ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: webhookMetadata(values, context, webhook),
      webhooks: [{ ...webhookBase(values, context, webhook), rules }],
    }) satisfies ValidatingWebhookConfiguration;
  return [configuration(profiles, PROFILE_RULES), configuration(policies, policyRules(values))];
}

const READ = ['list', 'get', 'watch'];

const EXTERNAL_WORKLOADS: readonly PolicyRule[] = [
  { apiGroups: ['workload.linkerd.io'], resources: ['externalworkloads'], verbs: READ },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'update', 'patch'] },
];

/**
 * Renders the permissions of the destination controller: read the targets of traffic, and own the slices of external
 * workloads.
 */
export function destinationRbac(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  const subjects = [account('linkerd-destination', namespace)];
  const own = component('destination');
  const controller = { name: `linkerd-${namespace}-destination`, labels: labels(values, namespace, own) };
  const partOf = { namespace, labels: labels(values, namespace, { ...PART_OF_LINKERD, ...own }) };
  return [
    serviceAccount(values, context, 'destination'),
    clusterRole(controller, destinationRules(values)),
    clusterRoleBinding(controller, controller.name, subjects),
    // Credentials for the API servers of linked clusters, whose services are discovered, too.
    role({ name: 'remote-discovery', ...partOf }, [
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] },
    ]),
    roleBinding({ name: 'linkerd-destination-remote-discovery', ...partOf }, ['Role', 'remote-discovery'], subjects),
  ];
}

function destinationRules({ enableEndpointSlices, templates }: ControlPlaneView): readonly PolicyRule[] {
  const ownsSlices = templates.egressAndExternalWorkloads;
  return [
    { apiGroups: ['apps'], resources: ['replicasets'], verbs: READ },
    { apiGroups: ['batch'], resources: ['jobs'], verbs: READ },
    { apiGroups: [''], resources: ['pods', 'endpoints', 'services', 'nodes'], verbs: READ },
    { apiGroups: ['linkerd.io'], resources: ['serviceprofiles'], verbs: READ },
    ...(ownsSlices ? EXTERNAL_WORKLOADS : []),
    ...(enableEndpointSlices
      ? [
          {
            apiGroups: ['discovery.k8s.io'],
            resources: ['endpointslices'],
            verbs: ownsSlices ? [...READ, 'create', 'update', 'patch', 'delete'] : READ,
          },
        ]
      : []),
  ];
}
