import { CONTROL_PLANE_NS } from '#linkerd/annotations';
import { PROXY_ADMIN_PORT } from '../../checks/policy/guards';
import { type ClientSet, NO_CLIENTS } from './client-set';
import type { PortPolicy } from './port-policy';

/** Paths at which kubelets probe proxies (linkerd2, charts/partials/templates/_proxy.tpl). */
const PROXY_PROBES: readonly string[] = ['/live', '/ready'];

/** Renders the policy that lets only some clients read the metrics of all proxies in a namespace. */
export function scrapePolicy(
  namespace: string,
  clients: ClientSet,
  of: Pick<PortPolicy, 'accessPolicy' | 'serverVersion' | 'probeNetworks'>,
): PortPolicy {
  return {
    ...of,
    protocol: 'HTTP/1',
    port: {
      namespace,
      name: 'linkerd-proxy-admin',
      // The label that the injector sets on each pod with a proxy.
      selector: { matchExpressions: [{ key: CONTROL_PLANE_NS, operator: 'Exists' }] },
      port: PROXY_ADMIN_PORT,
      pods: [],
      isOpaque: false,
    },
    grants: [
      {
        clients: NO_CLIENTS,
        requests: [{ requests: { method: 'GET', path: '/metrics' }, clients }],
        probePaths: PROXY_PROBES,
      },
    ],
  };
}
