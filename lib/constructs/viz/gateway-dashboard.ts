import { Construct } from 'constructs';
import type { HTTPRoute, HTTPRouteV1Beta1 } from '#imports/crds/gateway.networking.k8s.io';
import { checkDnsLabel, checkDnsSubdomain } from '#kubernetes/names';
import { keysOf } from '#kubernetes/options/known-keys';
import type { Release } from '#linkerd/releases/release';
import { addRule } from '../../gitops/tree/add-rule';
import { manifest } from '../../gitops/tree/manifest';
import { DASHBOARD, type DashboardProps } from './dashboard';

/** The dashboard behind a Gateway of the Gateway API. */
export interface GatewayIngressProps {
  /** DNS name at which browsers reach the dashboard. */
  readonly host: string;
  /**
   * The Gateway that serves the host. One of its listeners must have the host's certificate, and admit routes of the
   * namespace linkerd-viz: set `allowedRoutes.namespaces`, because by default a listener admits only routes of the
   * Gateway's own namespace.
   */
  readonly gateway: {
    /** Name of the Gateway. */
    readonly name: string;
    /** Namespace of the Gateway. */
    readonly namespace: string;
    /**
     * Name of one listener.
     *
     * @default - all that admit the route; if one of them serves plain HTTP, name the listener of HTTPS
     */
    readonly sectionName?: string;
  };

  /**
   * How users log in, because the Gateway API has no passwords:
   *
   * - a filter of the gateway, by reference to an object in linkerd-viz: a `Middleware` of Traefik, an
   *   `AuthenticationFilter` of NGINX Gateway Fabric;
   * - `'gateway'`: a login at the gateway, such as client certificates (mTLS) of its listener, a policy that is
   *   attached to the Gateway or to the HTTPRoute `linkerd-viz` (a `SecurityPolicy` of Envoy Gateway), or an
   *   authenticating proxy.
   *
   * @default - none, with a warning
   */
  readonly authentication?: 'gateway' | { readonly group: string; readonly kind: string; readonly name: string };
}

/** The dashboard behind a Gateway. */
export type GatewayIngress = GatewayIngressProps & { readonly kind: 'gateway' };

type GatewayLogin = Exclude<GatewayIngressProps['authentication'], string | undefined>;

/** The keys of GatewayIngress. */
export const GATEWAY_INGRESS = keysOf<GatewayIngress>({
  kind: true,
  host: true,
  gateway: keysOf<GatewayIngressProps['gateway']>({ name: true, namespace: true, sectionName: true }),
  authentication: keysOf<GatewayLogin>({ group: true, kind: true, name: true }),
});

/** The dashboard behind a Gateway, for one namespace and cluster domain. */
export interface GatewayDashboardProps extends DashboardProps<GatewayIngress> {
  /** The release, which decides the version of HTTPRoutes. */
  readonly release: Release;
}

/**
 * The dashboard behind a Gateway, which may be meshed in any mode, or not meshed.
 *
 * A Gateway does not change `Host` and `Origin`, so they match, as the dashboard requires.
 */
export class GatewayDashboard extends Construct {
  constructor(scope: Construct, id: string, props: GatewayDashboardProps) {
    super(scope, id);
    const { gateway, authentication } = props.ingress;
    manifest(this, 'route', httpRoute(props));
    addRule(this, () => [
      ...checkDnsSubdomain('ingress.gateway.name', gateway.name),
      ...checkDnsLabel('ingress.gateway.namespace', gateway.namespace),
      ...(gateway.sectionName === undefined
        ? []
        : checkDnsSubdomain('ingress.gateway.sectionName', gateway.sectionName)),
      ...(typeof authentication === 'object'
        ? checkDnsSubdomain('ingress.authentication.name', authentication.name)
        : []),
    ]);
  }
}

function httpRoute({
  ingress,
  namespace,
  clusterDomain,
  release,
}: GatewayDashboardProps): HTTPRoute | HTTPRouteV1Beta1 {
  const { host, gateway, authentication } = ingress;
  return {
    apiVersion: release.groups.crds.templates.gatewayApi.routeVersion,
    kind: 'HTTPRoute',
    metadata: { name: 'linkerd-viz', namespace },
    spec: {
      parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', ...gateway }],
      hostnames: [host],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: '/' } }],
          filters: [
            ...(typeof authentication === 'object'
              ? [{ type: 'ExtensionRef', extensionRef: authentication } as const]
              : []),
            {
              type: 'RequestHeaderModifier',
              // Names the Service for a proxy in ingress mode, which otherwise looks up the host.
              requestHeaderModifier: {
                set: [
                  {
                    name: 'l5d-dst-override',
                    value: `${DASHBOARD.service}.${namespace}.svc.${clusterDomain}:${DASHBOARD.port}`,
                  },
                ],
              },
            },
            { type: 'ResponseHeaderModifier', responseHeaderModifier: { remove: [...DASHBOARD.privateHeaders] } },
          ],
          backendRefs: [{ group: '', kind: 'Service', name: DASHBOARD.service, port: DASHBOARD.port }],
        },
      ],
    },
  };
}
