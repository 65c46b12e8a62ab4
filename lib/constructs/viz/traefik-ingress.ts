import { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import type { Certificate } from '#imports/crds/cert-manager.io';
import type { IngressRoute, Middleware } from '#imports/crds/traefik.io';
import { checkDnsSubdomain } from '#kubernetes/names';
import { keysOf, LIST } from '#kubernetes/options/known-keys';
import { addRule } from '../../gitops/tree/add-rule';
import { manifest } from '../../gitops/tree/manifest';
import { DASHBOARD, type DashboardProps } from './dashboard';
import {
  addTlsWarnings,
  checkTls,
  commonNameOf,
  type DashboardIngressProps,
  type DashboardTls,
  INGRESS_TLS,
  issuerOf,
  tlsSecretOf,
} from './dashboard-tls';
import { VIZ_FINDINGS } from './findings';
import { exactHost } from './host-regexp';

/** The dashboard behind Traefik 3. */
export interface TraefikIngressProps extends DashboardIngressProps {
  /**
   * Traefik's entry points that serve the dashboard.
   *
   * @default - `websecure` with TLS, `web` without
   */
  readonly entryPoints?: readonly string[];

  /**
   * Name of a Secret in namespace linkerd-viz, the only one that Traefik reads, with the users that may see the
   * dashboard: in `htpasswd` format under the key `users`, or of type kubernetes.io/basic-auth.
   *
   * @default - all users may see it, and synth warns
   */
  readonly basicAuthSecret?: string;
}

/** The dashboard behind Traefik. */
export type TraefikIngress = TraefikIngressProps & { readonly kind: 'traefik' };

/** The keys of TraefikIngress. */
export const TRAEFIK_INGRESS = keysOf<TraefikIngress>({
  kind: true,
  host: true,
  tls: INGRESS_TLS,
  entryPoints: LIST,
  basicAuthSecret: true,
});

/**
 * The dashboard behind Traefik, which must be meshed in ingress mode, or not meshed.
 *
 * Traefik does not change `Host` and `Origin`, so they match: tap's web sockets work, and the dashboard's check of the
 * origin stays effective. Removing `Origin` would have no benefit.
 */
export class TraefikDashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps<TraefikIngress>) {
    super(scope, id);
    const { ingress, namespace } = props;
    const { tls, basicAuthSecret } = ingress;
    const middlewares = [
      headers(props),
      ...(basicAuthSecret === undefined ? [] : [basicAuth(namespace, basicAuthSecret)]),
    ];
    for (const middleware of middlewares) manifest(this, middleware.metadata.name, middleware);
    manifest(this, 'route', ingressRoute(props, middlewares));
    if (tls !== undefined) this.addTls(tls, props);
    addTlsWarnings(this, tls, namespace);
    addRule(this, () => [
      ...checkEntryPoints(ingress),
      ...(basicAuthSecret === undefined ? [] : checkDnsSubdomain('ingress.basicAuthSecret', basicAuthSecret)),
      ...(tls === undefined ? [] : checkTls(tls)),
    ]);
  }

  private addTls(tls: DashboardTls, { ingress: { host }, namespace }: DashboardProps<TraefikIngress>): void {
    const issuer = issuerOf(tls);
    if (issuer === undefined) return;
    const secretName = tlsSecretOf(tls);
    manifest(this, 'certificate', {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: secretName, namespace },
      spec: {
        secretName,
        commonName: commonNameOf(tls, host),
        dnsNames: [host],
        issuerRef: { group: 'cert-manager.io', ...issuer },
        isCA: false,
        privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
        usages: ['digital signature', 'server auth'],
      },
    } satisfies Certificate);
  }
}

type NamedMiddleware = Middleware & { readonly metadata: { readonly name: string; readonly namespace: string } };

function headers({ namespace, clusterDomain }: DashboardProps<TraefikIngress>): NamedMiddleware {
  return {
    apiVersion: 'traefik.io/v1alpha1',
    kind: 'Middleware',
    metadata: { name: 'linkerd-viz-headers', namespace },
    spec: {
      headers: {
        // Names the Service for a proxy in ingress mode, which otherwise looks up the host.
        customRequestHeaders: {
          'l5d-dst-override': `${DASHBOARD.service}.${namespace}.svc.${clusterDomain}:${DASHBOARD.port}`,
        },
        // An empty value removes the header.
        customResponseHeaders: Object.fromEntries(DASHBOARD.privateHeaders.map((header) => [header, ''])),
      },
    },
  };
}

function basicAuth(namespace: string, secret: string): NamedMiddleware {
  return {
    apiVersion: 'traefik.io/v1alpha1',
    kind: 'Middleware',
    metadata: { name: 'linkerd-viz-basic-auth', namespace },
    // The dashboard does not need the password.
    spec: { basicAuth: { secret, removeHeader: true } },
  };
}

function ingressRoute(
  { ingress, namespace }: DashboardProps<TraefikIngress>,
  middlewares: NamedMiddleware[],
): IngressRoute {
  const { host, tls, entryPoints } = ingress;
  return {
    apiVersion: 'traefik.io/v1alpha1',
    kind: 'IngressRoute',
    metadata: { name: 'linkerd-viz', namespace },
    spec: {
      entryPoints: [...(entryPoints ?? [tls === undefined ? 'web' : 'websecure'])],
      routes: [
        {
          kind: 'Rule',
          match: host.startsWith('*') ? `HostRegexp(\`^${exactHost(host)}$\`)` : `Host(\`${host}\`)`,
          middlewares: middlewares.map(({ metadata: { name } }) => ({ name, namespace })),
          services: [{ name: DASHBOARD.service, namespace, port: DASHBOARD.port }],
        },
      ],
      ...(tls === undefined ? {} : { tls: { secretName: tlsSecretOf(tls) } }),
    },
  };
}

function checkEntryPoints({ entryPoints }: TraefikIngress): readonly Problem[] {
  return entryPoints === undefined || entryPoints.length > 0 ? [] : [VIZ_FINDINGS.vizValueRefusedEntryPoints()];
}
