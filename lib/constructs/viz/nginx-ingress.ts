import { Construct } from 'constructs';
import type { Ingress as IngressManifest } from '../../../imports/kubernetes';
import { addRule } from '../../gitops/tree/add-rule';
import { manifest } from '../../gitops/tree/manifest';
import { checkDnsLabel, checkDnsSubdomain } from '../../kubernetes/names';
import {
  addTlsWarnings,
  checkTls,
  commonNameOf,
  DASHBOARD,
  type DashboardTls,
  issuerOf,
  tlsSecretOf,
} from './dashboard';
import type { NginxIngress } from './ingress';

const NGINX = 'nginx.ingress.kubernetes.io';

/** The dashboard behind Ingress NGINX, for one namespace and cluster domain. */
export interface NginxDashboardProps {
  /** The user's settings of it. */
  readonly ingress: NginxIngress;
  /** Namespace of the dashboard. */
  readonly namespace: string;
  /** DNS domain of the cluster's services. */
  readonly clusterDomain: string;
}

/** The dashboard behind the Ingress NGINX controller. */
export class NginxDashboard extends Construct {
  constructor(scope: Construct, id: string, props: NginxDashboardProps) {
    super(scope, id);
    const { ingress, namespace } = props;
    const { tls, basicAuthSecret } = ingress;
    manifest(this, 'ingress', nginxIngress(props));
    addTlsWarnings(this, tls, namespace);
    addRule(this, () => [
      ...(ingress.ingressClassName === undefined
        ? []
        : checkDnsSubdomain('ingress.ingressClassName', ingress.ingressClassName)),
      ...(basicAuthSecret === undefined
        ? []
        : [
            ...checkDnsSubdomain('ingress.basicAuthSecret.name', basicAuthSecret.name),
            ...checkDnsLabel('ingress.basicAuthSecret.namespace', basicAuthSecret.namespace ?? namespace),
          ]),
      ...(tls === undefined ? [] : checkTls(tls)),
    ]);
  }
}

/** The Ingress object. */
export function nginxIngress({ ingress, namespace, clusterDomain }: NginxDashboardProps): IngressManifest {
  const { host, tls } = ingress;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: 'linkerd-viz-ingress',
      namespace,
      annotations: {
        ...authAnnotations(ingress, namespace),
        // One upstream, the Service, so that Linkerd and not nginx balances the load.
        [`${NGINX}/service-upstream`]: 'true',
        ...(ingress.snippets === false ? {} : snippetAnnotations(clusterDomain)),
        ...(tls === undefined ? {} : issuerAnnotations(tls, host)),
      },
    },
    spec: {
      ingressClassName: ingress.ingressClassName ?? 'nginx',
      ...(tls === undefined ? {} : { tls: [{ hosts: [host], secretName: tlsSecretOf(tls) }] }),
      rules: [
        {
          host,
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: { service: { name: DASHBOARD.service, port: { number: DASHBOARD.port } } },
              },
            ],
          },
        },
      ],
    },
  };
}

function authAnnotations({ basicAuthSecret: secret }: NginxIngress, namespace: string): Record<string, string> {
  if (secret === undefined) return {};
  return {
    [`${NGINX}/auth-type`]: 'basic',
    [`${NGINX}/auth-secret`]: `${secret.namespace ?? namespace}/${secret.name}`,
  };
}

function snippetAnnotations(clusterDomain: string): Record<string, string> {
  return {
    // The dashboard answers only to hosts that it knows: https://linkerd.io/2-edge/tasks/exposing-dashboard/
    [`${NGINX}/upstream-vhost`]: `$service_name.$namespace.svc.${clusterDomain}:${DASHBOARD.port}`,
    // An Origin that differs from the Host, which is rewritten, would make it refuse tap's web sockets.
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
