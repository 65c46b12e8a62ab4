import type { Construct } from 'constructs';
import type { Problem } from '../../kubernetes/findings/problem';
import { keysOf } from '../../kubernetes/known-keys';
import { checkDnsSubdomain } from '../../kubernetes/names';
import { MAX_COMMON_NAME } from '../pki/certificate';
import { addIssuerWarnings } from '../pki/issuer-reference';
import { VIZ_FINDINGS } from './findings';

/** The Service of Viz' dashboard, and how proxies in front of it must call it. */
export const DASHBOARD = {
  service: 'web',
  port: 8084,
  /** Response headers by which Linkerd tells clients what is none of their business: address and identity of a pod. */
  privateHeaders: ['l5d-remote-ip', 'l5d-server-id'],
} as const;

/**
 * The certificate of the dashboard's host: `clusterIssuer` or `issuer`, an Issuer in linkerd-viz, by which cert-manager
 * issues it, or `secretName` alone, of a Secret that exists.
 */
export type DashboardTls = {
  /**
   * Name of the Secret in linkerd-viz that has the certificate, of type kubernetes.io/tls.
   *
   * @default 'linkerd-viz-tls' - with an issuer
   */
  readonly secretName?: string;
  /**
   * Common name of the certificate that is issued, at most 64 characters.
   *
   * @default - the host, where it is no longer than that
   */
  readonly commonName?: string;
} & (
  | { readonly clusterIssuer: string; readonly issuer?: never }
  | { readonly issuer: string; readonly clusterIssuer?: never }
  | {
      readonly secretName: string;
      readonly clusterIssuer?: never;
      readonly issuer?: never;
      readonly commonName?: never;
    }
);

/** The keys of DashboardTls. */
export const INGRESS_TLS = keysOf<DashboardTls>({
  secretName: true,
  commonName: true,
  clusterIssuer: true,
  issuer: true,
});

/** Returns the issuer of the certificate; undefined where it exists already. */
export function issuerOf(
  tls: DashboardTls,
): { readonly kind: 'ClusterIssuer' | 'Issuer'; readonly name: string } | undefined {
  if (tls.clusterIssuer !== undefined) return { kind: 'ClusterIssuer', name: tls.clusterIssuer };
  return tls.issuer === undefined ? undefined : { kind: 'Issuer', name: tls.issuer };
}

/** Warns of an issuer that does not exist as far as is known. */
export function addTlsWarnings(scope: Construct, tls: DashboardTls | undefined, namespace: string): void {
  const issuer = tls && issuerOf(tls);
  if (issuer !== undefined) addIssuerWarnings(scope, () => ({ ...issuer, namespace }));
}

/** The Secret of the certificate. */
export function tlsSecretOf(tls: DashboardTls): string {
  return tls.secretName ?? 'linkerd-viz-tls';
}

/** The certificate's common name, if it has one. */
export function commonNameOf(tls: DashboardTls, host: string): string | undefined {
  return tls.commonName ?? (host.length > MAX_COMMON_NAME ? undefined : host);
}

/** Reports what Kubernetes or cert-manager would refuse. */
export function checkTls(tls: DashboardTls): readonly Problem[] {
  const issuer = issuerOf(tls);
  const problems = [
    ...checkDnsSubdomain('ingress.tls.secretName', tlsSecretOf(tls)),
    ...(issuer === undefined
      ? []
      : checkDnsSubdomain(issuer.kind === 'Issuer' ? 'ingress.tls.issuer' : 'ingress.tls.clusterIssuer', issuer.name)),
  ];
  const { commonName } = tls;
  if (commonName !== undefined && (commonName === '' || commonName.length > MAX_COMMON_NAME)) {
    problems.push(
      VIZ_FINDINGS.vizValueRefusedCommonName({ name: commonName, length: commonName.length, most: MAX_COMMON_NAME }),
    );
  }
  return problems;
}
