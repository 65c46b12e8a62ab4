import type { Problem } from '../../kubernetes/findings/problem';
import { keysOf, kinds } from '../../kubernetes/known-keys';
import { checkHost } from '../../kubernetes/names';
import type { Warning } from '../../linkerd/warnings';
import { DASHBOARD, type DashboardTls, INGRESS_TLS } from './dashboard';
import { VIZ_FINDINGS } from './findings';

/** Exposure by a Gateway of the Gateway API. */
export interface GatewayIngressProps {
  /** DNS name at which browsers reach the dashboard. */
  readonly host: string;
  /**
   * The Gateway that serves the host. A listener of it has the host's certificate, and admits routes of the namespace
   * linkerd-viz: with `allowedRoutes.namespaces`, as a listener admits routes of the Gateway's own namespace only
   * unless told otherwise.
   */
  readonly gateway: {
    /** Name of the Gateway. */
    readonly name: string;
    /** Namespace of the Gateway. */
    readonly namespace: string;
    /**
     * Name of the one listener that is meant.
     *
     * @default - all that admit the route; with one for plain HTTP among them, name that of HTTPS
     */
    readonly sectionName?: string;
  };

  /**
   * The login of users, as the Gateway API has no passwords itself:
   *
   * - a filter of the gateway's own, by reference to an object in linkerd-viz: a `Middleware` of Traefik, an
   *   `AuthenticationFilter` of NGINX Gateway Fabric;
   * - `'gateway'`: what is set up at the gateway, such as client certificates (mTLS) of its listener, a policy that is
   *   attached to the Gateway or to the HTTPRoute `linkerd-viz` (a `SecurityPolicy` of Envoy Gateway), or a proxy that
   *   logs users in.
   *
   * @default - nothing, which leaves a warning
   */
  readonly authentication?: 'gateway' | { readonly group: string; readonly kind: string; readonly name: string };
}

/** Props of the ways into the dashboard that bring their certificate along. */
export interface DashboardIngressProps {
  /** DNS name at which browsers reach the dashboard. */
  readonly host: string;
  /**
   * Certificate of the host.
   *
   * @default - plain HTTP, or whatever the ingress controller does by itself
   */
  readonly tls?: DashboardTls;
}

/**
 * Exposure by the Ingress NGINX controller, which was retired in March 2026: it gets no more releases, those against
 * vulnerabilities included.
 */
export interface NginxIngressProps extends DashboardIngressProps {
  /**
   * IngressClass of the controller.
   *
   * @default 'nginx'
   */
  readonly ingressClassName?: string;

  /**
   * Secret with the users that may see the dashboard, in the form of `htpasswd` under the key `auth`. In a namespace
   * other than linkerd-viz, ingress-nginx 1.12 and later reads it only with `allow-cross-namespace-resources: "true"`.
   *
   * @default - everybody may, which leaves a warning
   */
  readonly basicAuthSecret?: {
    /** Name of the Secret. */
    readonly name: string;
    /**
     * Namespace of the Secret.
     *
     * @default 'linkerd-viz'
     */
    readonly namespace?: string;
  };

  /**
   * Tells whether to rewrite `Host`, drop `Origin` and hide Linkerd's headers by a configuration snippet, as Linkerd's
   * guide has it (https://linkerd.io/2-edge/tasks/exposing-dashboard/). ingress-nginx refuses such an Ingress since 1.9
   * without `allow-snippet-annotations: "true"`, and since 1.12 without `annotations-risk-level: Critical`.
   *
   * With `false`, `Host` and `Origin` pass unchanged, so that they agree as the dashboard demands, and the dashboard is
   * told to answer to the host. Linkerd's headers can then be hidden for the whole controller, by
   * `hide-headers: l5d-remote-ip,l5d-server-id`.
   *
   * @default true
   */
  readonly snippets?: boolean;
}

/** Exposure by Traefik 3. */
export interface TraefikIngressProps extends DashboardIngressProps {
  /**
   * Traefik's entry points at which the dashboard is served.
   *
   * @default - `websecure` with TLS, `web` without
   */
  readonly entryPoints?: readonly string[];

  /**
   * Name of a Secret in namespace linkerd-viz (Traefik reads no other) with the users that may see the dashboard: in the
   * form of `htpasswd` under the key `users`, or of type kubernetes.io/basic-auth.
   *
   * @default - everybody may, which leaves a warning
   */
  readonly basicAuthSecret?: string;
}

/** Exposure by a Gateway. */
export type GatewayIngress = GatewayIngressProps & { readonly kind: 'gateway' };
/** Exposure by Ingress NGINX. */
export type NginxIngress = NginxIngressProps & { readonly kind: 'nginx' };
/** Exposure by Traefik. */
export type TraefikIngress = TraefikIngressProps & { readonly kind: 'traefik' };
/** How browsers reach the dashboard. */
export type DashboardIngress =
  | (GatewayIngressProps & { readonly kind: 'gateway' })
  | (NginxIngressProps & { readonly kind: 'nginx' })
  | (TraefikIngressProps & { readonly kind: 'traefik' });

type GatewayLogin = Exclude<GatewayIngressProps['authentication'], string | undefined>;

const GATEWAY = keysOf<GatewayIngress>({
  kind: true,
  host: true,
  gateway: keysOf<GatewayIngressProps['gateway']>({ name: true, namespace: true, sectionName: true }),
  authentication: keysOf<GatewayLogin>({ group: true, kind: true, name: true }),
});
const NGINX = keysOf<NginxIngress>({
  kind: true,
  host: true,
  tls: INGRESS_TLS,
  ingressClassName: true,
  basicAuthSecret: keysOf<NonNullable<NginxIngressProps['basicAuthSecret']>>({ name: true, namespace: true }),
  snippets: true,
});
const TRAEFIK = keysOf<TraefikIngress>({
  kind: true,
  host: true,
  tls: INGRESS_TLS,
  entryPoints: true,
  basicAuthSecret: true,
});

/** The keys of a way into the dashboard. */
export const INGRESS = kinds(
  'DashboardIngress.gateway({ host, gateway }), DashboardIngress.traefik({ host }) or DashboardIngress.nginx({ host })',
  {
    gateway: GATEWAY,
    nginx: NGINX,
    traefik: TRAEFIK,
  },
);

/** How browsers reach the dashboard. */
export const DashboardIngress = {
  /** An HTTPRoute for a Gateway of any implementation of the Gateway API. */
  gateway: (props: GatewayIngressProps): DashboardIngress => ({ ...props, kind: 'gateway' }),
  /**
   * An Ingress for the Ingress NGINX controller, which was retired in March 2026 and leaves a warning. Other controllers
   * that read its annotations can serve it, too.
   */
  nginx: (props: NginxIngressProps): DashboardIngress => ({ ...props, kind: 'nginx' }),
  /** An IngressRoute with Middlewares for Traefik. */
  traefik: (props: TraefikIngressProps): DashboardIngress => ({ ...props, kind: 'traefik' }),
};

/** Tells whether the dashboard sees the `Host` that the browser sent. */
export function passesHost(ingress: DashboardIngress): boolean {
  return ingress.kind !== 'nginx' || ingress.snippets === false;
}

/** The `Host` that the dashboard sees, or one of them where the host is a wildcard. */
export function upstreamHost(ingress: DashboardIngress, namespace: string, clusterDomain: string): string {
  return passesHost(ingress)
    ? ingress.host.replace(/^\*/, 'any')
    : `${DASHBOARD.service}.${namespace}.svc.${clusterDomain}:${DASHBOARD.port}`;
}

/** Checks the host. */
export function checkIngressHost(ingress: DashboardIngress): readonly Problem[] {
  return checkHost('ingress.host', ingress.host);
}

/** Warns of a dashboard without authentication, and of a controller that is no longer maintained. */
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
