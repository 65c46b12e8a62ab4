import { Construct } from 'constructs';
import type { HTTPRouteV1Beta3, ServerV1Beta1, ServerV1Beta3 } from '#imports/crds/policy.linkerd.io';
import { CONTROL_PLANE_NS, EXTENSION } from '#linkerd/annotations';
import { POLICY_GROUP } from '#linkerd/api-groups';
import type { Release } from '#linkerd/releases/release';
import { PROXY_ADMIN_PORT } from '../../checks/policy/guards';
import { manifest } from '../../gitops/tree/manifest';
import { type Authorization, addAuthorization, policyMetadata } from './authorization';
import type { ServiceAccountRef } from './prometheus';

/** Ports at which Viz's own components serve metrics and probes. No release names all of them consistently. */
const COMPONENT_ADMIN_PORTS = { 'metrics-api': 9995, tap: 9998, 'tap-injector': 9995, web: 9994 };

/**
 * The authentication for all networks in the linkerd-viz chart. Kubelets have no mesh identity, and the source of their
 * requests depends on the cluster's network.
 */
const ANY_CLIENT = { group: POLICY_GROUP, kind: 'NetworkAuthentication', name: 'kubelet' };

interface ScrapePolicyProps {
  /** The release whose CRDs decide the API version of the Server. */
  readonly release: Release;
  /** Namespace of the scraped pods: that of Viz, whose chart contains the authentication of kubelets. */
  readonly namespace: string;
  /**
   * The only client that may read metrics.
   *
   * @default - any client
   */
  readonly scraper?: ServiceAccountRef;
}

const SCRAPE = 'prometheus-scrape';

type PodSelector = ServerV1Beta3['spec']['podSelector'];

interface AllowedPaths {
  readonly namespace: string;
  readonly route: string;
  readonly servers: readonly string[];
  readonly paths: readonly string[];
}

/**
 * Lets a Prometheus scrape the proxies and the components of Viz even where a stricter default inbound policy
 * (`config.linkerd.io/default-inbound-policy`) would refuse it. For proxies, these are the objects that `linkerd viz
 * allow-scrapes` prints, adapted to an external Prometheus. Only `/metrics` is opened, and probes stay open. Pods of
 * the control plane do not need this: their chart makes them accept all clients, whatever the default is.
 *
 * The AuthorizationPolicy of Linkerd's guide (https://linkerd.io/2-edge/tasks/external-prometheus/) targets the Server
 * of Viz's own Prometheus, which has no pods if the Prometheus is external: it would authorize nothing.
 */
export class ScrapePolicy extends Construct {
  constructor(scope: Construct, id: string, { release, namespace, scraper }: ScrapePolicyProps) {
    super(scope, id);
    const prometheus = scraper === undefined ? ANY_CLIENT : { kind: 'ServiceAccount', ...scraper };
    const addServer = (id: string, name: string, port: number, podSelector: PodSelector) =>
      manifest(this, id, {
        apiVersion: release.groups.crds.templates.serverVersion,
        kind: 'Server',
        metadata: policyMetadata(name, namespace),
        spec: { podSelector, port, proxyProtocol: 'HTTP/1' },
      } satisfies Omit<ServerV1Beta1 | ServerV1Beta3, 'apiVersion'> & { apiVersion: string });

    // By number: policy controllers look up port names in ordinary containers only, and a proxy may be a native
    // sidecar.
    addServer('server', 'proxy-admin', PROXY_ADMIN_PORT, {
      matchExpressions: [{ key: CONTROL_PLANE_NS, operator: 'Exists' }],
    });
    this.allow(
      { namespace, route: 'proxy-metrics', servers: ['proxy-admin'], paths: ['/metrics'] },
      prometheus,
      SCRAPE,
    );
    // Linkerd adds no routes for probes to a Server that has routes.
    this.allow({ namespace, route: 'proxy-probes', servers: ['proxy-admin'], paths: ['/live', '/ready'] }, ANY_CLIENT);

    const servers = Object.entries(COMPONENT_ADMIN_PORTS).map(([component, port]) => {
      const name = `${component}-admin`;
      addServer(name, name, port, { matchLabels: { [EXTENSION]: 'viz', component } });
      return name;
    });
    this.allow({ namespace, route: 'component-metrics', servers, paths: ['/metrics'] }, prometheus);
    this.allow({ namespace, route: 'component-probes', servers, paths: ['/ping', '/ready'] }, ANY_CLIENT);
  }

  private allow(
    { namespace, route, servers, paths }: AllowedPaths,
    client: Authorization['client'],
    name: string = route,
  ): void {
    manifest(this, route, {
      apiVersion: 'policy.linkerd.io/v1beta3',
      kind: 'HTTPRoute',
      metadata: policyMetadata(route, namespace),
      spec: {
        parentRefs: servers.map((server) => ({ group: POLICY_GROUP, kind: 'Server', name: server })),
        rules: [{ matches: paths.map((value) => ({ path: { type: 'Exact', value } })) }],
      },
    } satisfies HTTPRouteV1Beta3);
    addAuthorization(this, {
      name,
      namespace,
      target: { group: POLICY_GROUP, kind: 'HTTPRoute', name: route },
      client,
    });
  }
}
