import type { Container, PolicyRule } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { POLICY_GROUP } from '../../api-groups';
import type { RenderContext } from '../../charts/render-context';
import type { ControlPlaneTemplates } from '../../releases/groups/control-plane';
import { isEmpty } from '../empty';
import { component, labels, PART_OF_LINKERD } from '../metadata/labels';
import { account, clusterRole, clusterRoleBinding } from '../metadata/rbac';
import { image } from '../pod/images';
import { livenessProbe, readinessProbe } from '../pod/probes';
import { resources } from '../pod/resources';
import { print } from '../print';
import { trustDomain } from '../trust-domain';
import type { ControlPlaneView } from './control-plane-view';
import { listenAddress } from './proxy/environment';
import { controller, portName } from './workload';

const TLS_DIR = '/var/run/linkerd/tls';

/** Renders the controller that sends the authorized clients to proxies, and validates policies. */
export function policyContainer(values: ControlPlaneView, context: RenderContext): Container {
  const adminPort = portName(values, 'policy-admin');
  return controller(
    values,
    {
      name: 'policy',
      ...policyProgram(values, adminPort),
      args: policyArguments(values, context),
      ports: [
        { containerPort: 8090, name: portName(values, 'policy-grpc') },
        { containerPort: 9990, name: adminPort },
        { containerPort: 9443, name: 'policy-https' },
      ],
    },
    [{ mountPath: TLS_DIR, name: 'policy-tls', readOnly: true }],
  );
}

function policyArguments(values: ControlPlaneView, { namespace }: RenderContext): readonly string[] {
  const { policyController: own, disableIPv6, templates } = values;
  const probeNetworks = own.probeNetworks ?? [];
  return [
    `--admin-addr=${listenAddress(disableIPv6, 9990)}`,
    `--control-plane-namespace=${namespace}`,
    `--grpc-addr=${listenAddress(disableIPv6, 8090)}`,
    `--server-addr=${listenAddress(disableIPv6, 9443)}`,
    `--server-tls-key=${TLS_DIR}/tls.key`,
    `--server-tls-certs=${TLS_DIR}/tls.crt`,
    print`--cluster-networks=${values.clusterNetworks}`,
    `--identity-domain=${trustDomain(values)}`,
    print`--cluster-domain=${values.clusterDomain}`,
    print`--default-policy=${values.proxy.defaultInboundPolicy}`,
    `--log-level=${own.logLevel || 'linkerd=info,warn'}`,
    print`--log-format=${values.controllerLogFormat}`,
    print`--default-opaque-ports=${values.proxy.opaquePorts}`,
    ...(templates.egressAndExternalWorkloads
      ? [print`--global-egress-network-namespace=${values.egress.globalEgressNetworkNamespace}`]
      : []),
    ...(probeNetworks.length > 0 ? [`--probe-networks=${probeNetworks.join(',')}`] : []),
    ...(own.additionalArgs ?? []),
    ...(own.experimentalArgs ?? []),
  ];
}

type Program = Pick<
  Container,
  'command' | 'image' | 'imagePullPolicy' | 'livenessProbe' | 'readinessProbe' | 'resources'
>;

function policyProgram(values: ControlPlaneView, adminPort: string): Program {
  return values.templates.policyImage === 'own' ? ownImage(values, adminPort) : amongControllers(values, adminPort);
}

function amongControllers({ policyController: own }: ControlPlaneView, adminPort: string): Program {
  return {
    command: ['/linkerd-policy-controller'],
    livenessProbe: livenessProbe(own.livenessProbe, adminPort, '/live'),
    readinessProbe: readinessProbe(own.readinessProbe, adminPort),
    resources: resources(own.resources),
  };
}

/** Returns the program of a separate image: its readiness probe is delayed, and its liveness probe starts at once. */
function ownImage(values: ControlPlaneView, adminPort: string): Program {
  const { policyController: own, destinationResources } = values;
  return {
    ...image(own.image, values),
    livenessProbe: { httpGet: { path: '/live', port: adminPort } },
    readinessProbe: { failureThreshold: 7, httpGet: { path: '/ready', port: adminPort }, initialDelaySeconds: 10 },
    resources: resources(isEmpty(own.resources) ? destinationResources : own.resources),
  };
}

/** API group of the routes that Linkerd shares with gateways. */
export const GATEWAY_GROUP = 'gateway.networking.k8s.io';

const EGRESS: ReadonlySet<string> = new Set(['egressnetworks', 'httplocalratelimitpolicies']);

/** Returns Linkerd's policy resources that a control plane uses. */
export function policyResources(templates: ControlPlaneTemplates, resources: readonly string[]): readonly string[] {
  return templates.egressAndExternalWorkloads ? resources : resources.filter((resource) => !EGRESS.has(resource));
}

/** Returns the route resources of the Gateway API that a control plane uses. */
export function gatewayRoutes({ egressAndExternalWorkloads }: ControlPlaneTemplates): readonly string[] {
  return ['httproutes', ...(egressAndExternalWorkloads ? ['grpcroutes', 'tlsroutes', 'tcproutes'] : [])];
}

const READ = ['get', 'list', 'watch'];

const RESOURCES = [
  'authorizationpolicies',
  'httplocalratelimitpolicies',
  'httproutes',
  'meshtlsauthentications',
  'networkauthentications',
  'servers',
  'serverauthorizations',
  'egressnetworks',
];
const WITH_STATUS = ['httproutes', 'httplocalratelimitpolicies', 'egressnetworks'];

function policyRules({ templates }: ControlPlaneView): readonly PolicyRule[] {
  const statuses = (resources: readonly string[]) => resources.map((resource) => `${resource}/status`);
  const routes = gatewayRoutes(templates);
  return [
    { apiGroups: [''], resources: ['pods'], verbs: READ },
    { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] },
    { apiGroups: [POLICY_GROUP], resources: policyResources(templates, RESOURCES), verbs: READ },
    { apiGroups: [GATEWAY_GROUP], resources: routes, verbs: READ },
    { apiGroups: [POLICY_GROUP], resources: statuses(policyResources(templates, WITH_STATUS)), verbs: ['patch'] },
    { apiGroups: [GATEWAY_GROUP], resources: statuses(routes), verbs: ['patch'] },
    ...(templates.egressAndExternalWorkloads
      ? [{ apiGroups: ['workload.linkerd.io'], resources: ['externalworkloads'], verbs: READ }]
      : []),
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'patch'] },
  ];
}

/** Renders the permissions of the policy controller, which runs next to the destination controller with its account. */
export function policyRbac(values: ControlPlaneView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const own = labels(values, namespace, { ...PART_OF_LINKERD, ...component('destination') });
  return [
    clusterRole({ name: 'linkerd-policy', labels: own }, policyRules(values)),
    clusterRoleBinding({ name: 'linkerd-destination-policy', labels: own }, 'linkerd-policy', [
      account('linkerd-destination', namespace),
    ]),
  ];
}
