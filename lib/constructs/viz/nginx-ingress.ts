import { Construct } from 'constructs';
import type { Ingress as IngressManifest } from '#imports/kubernetes';
import { checkDnsLabel, checkDnsSubdomain } from '#kubernetes/names';
import { BOOLEAN, keysOf } from '#kubernetes/options/known-keys';
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

const NGINX = 'nginx.ingress.kubernetes.io';

/**
 * The dashboard behind the Ingress NGINX controller, which was retired in March 2026: it gets no more releases, not
 * even for vulnerabilities.
 */
export interface NginxIngressProps extends DashboardIngressProps {
  /**
   * IngressClass of the controller.
   *
   * @default 'nginx'
   */
  readonly ingressClassName?: string;

  /**
   * Secret with the users that may see the dashboard, in `htpasswd` format under the key `auth`. ingress-nginx 1.12 and
   * later reads it from a namespace other than linkerd-viz only with `allow-cross-namespace-resources: "true"`.
   *
   * @default - all users may see it, and synth warns
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
   * Rewrite `Host`, remove `Origin` and hide Linkerd's headers with a configuration snippet, as in Linkerd's guide
   * (https://linkerd.io/2-edge/tasks/exposing-dashboard/). ingress-nginx refuses such an Ingress since 1.9 without
   * `allow-snippet-annotations: "true"`, and since 1.12 without `annotations-risk-level: Critical`.
   *
   * With `false`, `Host` and `Origin` are not changed, so they match, as the dashboard requires, and the dashboard is
   * configured to answer to the host. To hide Linkerd's headers, set `hide-headers: l5d-remote-ip,l5d-server-id` for
   * the whole controller.
   *
   * @default true
   */
  readonly snippets?: boolean;
}

/** The dashboard behind Ingress NGINX. */
export type NginxIngress = NginxIngressProps & { readonly kind: 'nginx' };

/** The keys of NginxIngress. */
export const NGINX_INGRESS = keysOf<NginxIngress>({
  kind: true,
  host: true,
  tls: INGRESS_TLS,
  ingressClassName: true,
  basicAuthSecret: keysOf<NonNullable<NginxIngressProps['basicAuthSecret']>>({ name: true, namespace: true }),
  snippets: BOOLEAN,
});

/** The dashboard behind the Ingress NGINX controller. */
export class NginxDashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps<NginxIngress>) {
    super(scope, id);
    const { ingress, namespace } = props;
    const { tls, basicAuthSecret: secret } = ingress;
    manifest(this, 'ingress', nginxIngress(props));
    addTlsWarnings(this, tls, namespace);
    addRule(this, () => [
      ...checkDnsSubdomain('ingress.ingressClassName', ingress.ingressClassName ?? CLASS),
      ...(secret === undefined ? [] : checkDnsSubdomain('ingress.basicAuthSecret.name', secret.name)),
      ...(secret?.namespace === undefined ? [] : checkDnsLabel('ingress.basicAuthSecret.namespace', secret.namespace)),
      ...(tls === undefined ? [] : checkTls(tls)),
    ]);
  }
}

const CLASS = 'nginx';

/** The Ingress object. */
export function nginxIngress({ ingress, namespace, clusterDomain }: DashboardProps<NginxIngress>): IngressManifest {
  const { host, tls, basicAuthSecret: secret, ingressClassName = CLASS, snippets = true } = ingress;
  const backend = { service: { name: DASHBOARD.service, port: { number: DASHBOARD.port } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: 'linkerd-viz-ingress',
      namespace,
      annotations: {
        ...(secret && {
          [`${NGINX}/auth-type`]: 'basic',
          [`${NGINX}/auth-secret`]: `${secret.namespace ?? namespace}/${secret.name}`,
        }),
        // One upstream, the Service, so that Linkerd balances the load instead of nginx.
        [`${NGINX}/service-upstream`]: 'true',
        ...(snippets && snippetAnnotations(clusterDomain)),
        ...(tls && issuerAnnotations(tls, host)),
      },
    },
    spec: {
      ingressClassName,
      ...(tls && { tls: [{ hosts: [host], secretName: tlsSecretOf(tls) }] }),
      rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
    },
  };
}

function snippetAnnotations(clusterDomain: string): Record<string, string> {
  return {
    // The dashboard answers only to known hosts: https://linkerd.io/2-edge/tasks/exposing-dashboard/
    [`${NGINX}/upstream-vhost`]: `$service_name.$namespace.svc.${clusterDomain}:${DASHBOARD.port}`,
    // With an Origin that differs from the rewritten Host, the dashboard would refuse tap's web sockets.
    [`${NGINX}/configuration-snippet`]: [
      'proxy_set_header Origin "";',
      ...DASHBOARD.privateHeaders.map((header) => `proxy_hide_header ${header};`),
      '',
    ].join('\n'),
  };
}

function issuerAnnotations(tls: DashboardTls, host: string): Record<string, string> {
  const issuer = issuerOf(tls);
  const commonName = commonNameOf(tls, host);
  if (issuer === undefined) return {};
  return {
    [issuer.kind === 'Issuer' ? 'cert-manager.io/issuer' : 'cert-manager.io/cluster-issuer']: issuer.name,
    ...(commonName === undefined ? {} : { 'cert-manager.io/common-name': commonName }),
  };
}
