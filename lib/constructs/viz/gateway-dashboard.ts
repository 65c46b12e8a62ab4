import { Construct } from 'constructs';
import type { HTTPRoute, HTTPRouteV1Beta1 } from '../../../imports/crds/gateway.networking.k8s.io';
import { addRule } from '../../gitops/tree/add-rule';
import { manifest } from '../../gitops/tree/manifest';
import { checkDnsLabel, checkDnsSubdomain } from '../../kubernetes/names';
import type { Release } from '../../linkerd/releases/release';
import { DASHBOARD } from './dashboard';
import type { GatewayIngress } from './ingress';

/** The dashboard behind a Gateway, for one namespace and cluster domain. */
export interface GatewayDashboardProps {
  /** The user's settings of it. */
  readonly ingress: GatewayIngress;
  /** Namespace of the dashboard. */
  readonly namespace: string;
  /** DNS domain of the cluster's services. */
  readonly clusterDomain: string;
  /** The release, which decides the version of HTTPRoutes. */
  readonly release: Release;
}

/**
 * The dashboard behind a Gateway, meshed in any mode or not at all.
 *
 * A Gateway leaves `Host` and `Origin` as the browser sent them. They agree then, as the dashboard demands.
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
              // The Service that a proxy in ingress mode sends the request to; without it, it would look up the host.
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
