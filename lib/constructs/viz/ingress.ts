import type { Problem } from '#base/findings/problem';
import { checkHost } from '#kubernetes/names';
import { kinds } from '#kubernetes/options/known-keys';
import type { Warning } from '../../checks/warnings';
import { DASHBOARD } from './dashboard';
import { VIZ_FINDINGS } from './findings';
import { GATEWAY_INGRESS, type GatewayIngressProps } from './gateway-dashboard';
import { NGINX_INGRESS, type NginxIngressProps } from './nginx-ingress';
import { TRAEFIK_INGRESS, type TraefikIngressProps } from './traefik-ingress';

/** How browsers reach the dashboard. */
export type DashboardIngress =
  | (GatewayIngressProps & { readonly kind: 'gateway' })
  | (NginxIngressProps & { readonly kind: 'nginx' })
  | (TraefikIngressProps & { readonly kind: 'traefik' });

/** The keys of each kind of ingress. */
export const INGRESS = kinds(
  'DashboardIngress.gateway({ host, gateway }), DashboardIngress.traefik({ host }) or DashboardIngress.nginx({ host })',
  {
    gateway: GATEWAY_INGRESS,
    traefik: TRAEFIK_INGRESS,
    nginx: NGINX_INGRESS,
  },
);

/** How browsers reach the dashboard. */
export const DashboardIngress = {
  /** An HTTPRoute for a Gateway of any implementation of the Gateway API. */
  gateway: (props: GatewayIngressProps): DashboardIngress => ({ ...props, kind: 'gateway' }),
  /** An IngressRoute with Middlewares for Traefik. */
  traefik: (props: TraefikIngressProps): DashboardIngress => ({ ...props, kind: 'traefik' }),
  /**
   * An Ingress for the Ingress NGINX controller, which was retired in March 2026 and causes a warning. Other
   * controllers that read its annotations can serve it, too.
   */
  nginx: (props: NginxIngressProps): DashboardIngress => ({ ...props, kind: 'nginx' }),
};

/** Whether the dashboard sees the `Host` that the browser sent. */
export function passesHost(ingress: DashboardIngress): boolean {
  return ingress.kind !== 'nginx' || ingress.snippets === false;
}

/** Returns the `Host` that the dashboard sees, or an example of it for a wildcard host. */
export function upstreamHost(ingress: DashboardIngress, namespace: string, clusterDomain: string): string {
  return passesHost(ingress)
    ? ingress.host.replace(/^\*/, 'any')
    : `${DASHBOARD.service}.${namespace}.svc.${clusterDomain}:${DASHBOARD.port}`;
}

/** Checks the host. */
export function checkIngressHost(ingress: DashboardIngress): readonly Problem[] {
  return checkHost('ingress.host', ingress.host);
}

/** Warns about a dashboard without authentication, and about a controller that is no longer maintained. */
export function ingressWarnings(ingress: DashboardIngress): readonly Warning[] {
  return [...openDashboard(ingress), ...retiredController(ingress)];
}

function openDashboard(ingress: DashboardIngress): readonly Warning[] {
  const prop = ingress.kind === 'gateway' ? 'authentication' : 'basicAuthSecret';
  if ((ingress.kind === 'gateway' ? ingress.authentication : ingress.basicAuthSecret) !== undefined) return [];
  return [VIZ_FINDINGS.dashboardOpen({ prop, host: ingress.host })];
}

function retiredController(ingress: DashboardIngress): readonly Warning[] {
  return ingress.kind === 'nginx' ? [VIZ_FINDINGS.ingressNginxRetired({ host: ingress.host })] : [];
}
