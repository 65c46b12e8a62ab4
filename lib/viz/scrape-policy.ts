import { Construct } from 'constructs';
import type { HTTPRouteV1Beta3, ServerV1Beta1, ServerV1Beta3 } from '../../imports/crds/policy.linkerd.io';
import { CONTROL_PLANE_NS } from '../linkerd/annotations';
import type { LinkerdVersion } from '../linkerd/versions';
import { manifest } from '../platform/manifest';
import { addAuthorization, POLICY_GROUP, policyMetadata } from './authorization';
import type { ServiceAccountRef } from './prometheus';
import { vizReleaseOf } from './viz-releases';

/** Port at which proxies serve metrics and probes (default of the chart value `proxy.ports.admin`). */
const PROXY_ADMIN_PORT = 4191;

/**
 * The authentication of every network that the linkerd-viz chart brings. Kubelets have no mesh identity, and where their
 * requests come from depends on the cluster's network.
 */
const ANY_CLIENT = { group: POLICY_GROUP, kind: 'NetworkAuthentication', name: 'kubelet' };

/** What an external Prometheus may scrape. */
export interface ScrapePolicyProps {
  /** Linkerd release, whose CRDs decide the API version of the Server. */
  readonly version: LinkerdVersion;
  /** Namespace of the scraped pods: that of Viz, whose chart brings the authentication of kubelets. */
  readonly namespace: string;
  /**
   * The only client that may read metrics.
   *
   * @default - any client
   */
  readonly scraper?: ServiceAccountRef;
}

/**
 * Lets a Prometheus scrape the proxies of a namespace even where a stricter default inbound policy
 * (`config.linkerd.io/default-inbound-policy`) would refuse it: what `linkerd viz allow-scrapes` prints, for a
 * Prometheus of one's own. Only `/metrics` is opened, and probes stay open.
 *
 * The AuthorizationPolicy of Linkerd's guide (https://linkerd.io/2-edge/tasks/external-prometheus/) targets the Server
 * of Viz' own Prometheus, which has no pods beside an external one: it would authorize nothing.
 */
export class ScrapePolicy extends Construct {
  constructor(scope: Construct, id: string, { version, namespace, scraper }: ScrapePolicyProps) {
    super(scope, id);
    manifest(this, 'server', {
      apiVersion: vizReleaseOf(version).serverApi,
      kind: 'Server',
      metadata: policyMetadata('proxy-admin', namespace),
      spec: {
        podSelector: { matchExpressions: [{ key: CONTROL_PLANE_NS, operator: 'Exists' }] },
        // By number: policy controllers have looked up port names in ordinary containers only, and a proxy may be a
        // native sidecar.
        port: PROXY_ADMIN_PORT,
        proxyProtocol: 'HTTP/1',
      },
    } satisfies Omit<ServerV1Beta1 | ServerV1Beta3, 'apiVersion'> & { apiVersion: string });
    this.addRoute('proxy-metrics', namespace, ['/metrics']);
    // A Server with routes of its own gets none for probes any more.
    this.addRoute('proxy-probes', namespace, ['/live', '/ready']);
    addAuthorization(this, {
      name: 'prometheus-scrape',
      namespace,
      target: { group: POLICY_GROUP, kind: 'HTTPRoute', name: 'proxy-metrics' },
      client: scraper === undefined ? ANY_CLIENT : { kind: 'ServiceAccount', ...scraper },
    });
    addAuthorization(this, {
      name: 'proxy-probes',
      namespace,
      target: { group: POLICY_GROUP, kind: 'HTTPRoute', name: 'proxy-probes' },
      client: ANY_CLIENT,
    });
  }

  private addRoute(name: string, namespace: string, paths: readonly string[]): void {
    manifest(this, name, {
      apiVersion: 'policy.linkerd.io/v1beta3',
      kind: 'HTTPRoute',
      metadata: policyMetadata(name, namespace),
      spec: {
        parentRefs: [{ group: POLICY_GROUP, kind: 'Server', name: 'proxy-admin' }],
        rules: [{ matches: paths.map((value) => ({ path: { type: 'Exact', value } })) }],
      },
    } satisfies HTTPRouteV1Beta3);
  }
}
