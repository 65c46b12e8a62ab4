import { checkHost } from '../kubernetes/names';
import type { Problem } from '../problems/problem';
import type { Warning } from '../problems/warning';
import { DASHBOARD } from './dashboard';
import type { IngressTls } from './ingress-tls';

/** Props of every way into the dashboard. */
export interface DashboardIngressProps {
  /** DNS name at which browsers reach the dashboard. */
  readonly host: string;
  /**
   * Certificate of the host.
   *
   * @default - plain HTTP, or whatever the ingress controller does by itself
   */
  readonly tls?: IngressTls;
}

/** Exposure by the Ingress NGINX controller. */
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

/** Exposure by Ingress NGINX. */
export type NginxIngress = NginxIngressProps & { readonly kind: 'nginx' };
/** Exposure by Traefik. */
export type TraefikIngress = TraefikIngressProps & { readonly kind: 'traefik' };
/** The way to the dashboard from outside of the cluster. */
export type Ingress = NginxIngress | TraefikIngress;

/** Ways into the dashboard. */
export const Ingress = {
  /** An Ingress for the Ingress NGINX controller. */
  nginx: (props: NginxIngressProps): Ingress => ({ ...props, kind: 'nginx' }),
  /** An IngressRoute with Middlewares for Traefik. */
  traefik: (props: TraefikIngressProps): Ingress => ({ ...props, kind: 'traefik' }),
};

/** Tells whether the dashboard sees the `Host` that the browser sent. */
export function passesHost(ingress: Ingress): boolean {
  return ingress.kind === 'traefik' || ingress.snippets === false;
}

/** The `Host` that the dashboard sees, or one of them where the host is a wildcard. */
export function upstreamHost(ingress: Ingress, namespace: string, clusterDomain: string): string {
  return passesHost(ingress)
    ? ingress.host.replace(/^\*/, 'any')
    : `${DASHBOARD.service}.${namespace}.svc.${clusterDomain}:${DASHBOARD.port}`;
}

/** Checks the host. */
export function checkIngressHost(ingress: Ingress): readonly Problem[] {
  return checkHost('ingress.host', ingress.host);
}

/** The danger of a dashboard that everybody can see. */
export function openDashboardWarning(ingress: Ingress): readonly Warning[] {
  if (ingress.basicAuthSecret !== undefined) return [];
  return [
    {
      code: 'dashboard-open',
      what: `ingress.basicAuthSecret is not set: the dashboard at ${ingress.host} asks nobody who they are`,
      why: 'Whoever reaches it sees every workload of the mesh and may watch live requests by tap',
      fix: 'set basicAuthSecret, or make sure that something else guards the host',
    },
  ];
}
