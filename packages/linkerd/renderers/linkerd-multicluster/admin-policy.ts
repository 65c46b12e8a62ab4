import type { AuthorizationPolicy, Server } from '#imports/crds/policy.linkerd.io';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { POLICY_GROUP } from '../../api-groups';
import type { RenderContext } from '../../charts/render-context';
import { component, labels, MULTICLUSTER } from './metadata';
import type { MulticlusterView } from './multicluster-view';

interface AdminPort {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly pods: Server['spec']['podSelector'];
  readonly port: string;
}

/** The component of service mirrors in releases up to 2.17. */
const OLD_MIRROR = 'linkerd-service-mirror';
const OLD_PORT = { name: 'service-mirror', labels: component(OLD_MIRROR), port: 'svcmi-admin' };

const SHARED: readonly AdminPort[] = [
  {
    ...OLD_PORT,
    pods: { matchExpressions: [{ key: 'component', operator: 'In', values: [OLD_MIRROR, 'controller'] }] },
  },
];

const SEPARATE: readonly AdminPort[] = [
  { name: 'linkerd-admin', labels: MULTICLUSTER, pods: { matchLabels: MULTICLUSTER }, port: 'linkerd-admin' },
  { ...OLD_PORT, pods: { matchLabels: component(OLD_MIRROR) } },
  componentPort('controller', 'ctrl-admin'),
  componentPort('local-service-mirror', 'locsm-admin'),
];

function componentPort(name: string, port: string): AdminPort {
  return { name, labels: component(name), pods: { matchLabels: component(name) }, port };
}

/**
 * Renders the policy for the metrics of service mirrors: only the Prometheus of Viz in namespace `linkerd-viz` may
 * scrape them.
 */
export function adminPolicy(values: MulticlusterView, context: RenderContext): readonly KubernetesObject[] {
  const ports = values.templates.adminServers === 'shared' ? SHARED : SEPARATE;
  return ports.flatMap((port) => guarded(values, context, port));
}

function guarded(values: MulticlusterView, { namespace }: RenderContext, port: AdminPort): readonly KubernetesObject[] {
  const metadata = { name: port.name, namespace, labels: labels(values, port.labels) };
  return [
    {
      apiVersion: 'policy.linkerd.io/v1beta3',
      kind: 'Server',
      metadata,
      spec: { podSelector: port.pods, port: port.port, proxyProtocol: 'HTTP/1' },
    } satisfies Server,
    {
      apiVersion: 'policy.linkerd.io/v1alpha1',
      kind: 'AuthorizationPolicy',
      metadata,
      spec: {
        targetRef: { group: POLICY_GROUP, kind: 'Server', name: port.name },
        requiredAuthenticationRefs: [{ kind: 'ServiceAccount', name: 'prometheus', namespace: 'linkerd-viz' }],
      },
    } satisfies AuthorizationPolicy,
  ];
}
