import type { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { checkDnsSubdomain } from '#kubernetes/names';
import { keysOf } from '#kubernetes/options/known-keys';
import { MAX_COMMON_NAME } from '../pki/certificate';
import { addIssuerWarnings } from '../pki/issuer-reference';
import { VIZ_FINDINGS } from './findings';

/**
 * The certificate of the dashboard's host: `clusterIssuer` or `issuer` (an Issuer in linkerd-viz) if cert-manager
 * issues it, or `secretName` alone for an existing Secret.
 */
export type DashboardTls = {
  /**
   * Name of the Secret in linkerd-viz with the certificate, of type kubernetes.io/tls.
   *
   * @default 'linkerd-viz-tls' - with an issuer
   */
  readonly secretName?: string;
  /**
   * Common name of the issued certificate, at most 64 characters.
   *
   * @default - the host, unless it is longer
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

/** Common props of ingresses with their own certificate. */
export interface DashboardIngressProps {
  /** DNS name at which browsers reach the dashboard. */
  readonly host: string;
  /**
   * Certificate of the host.
   *
   * @default - plain HTTP, or the ingress controller's default
   */
  readonly tls?: DashboardTls;
}

/** The keys of DashboardTls. */
export const INGRESS_TLS = keysOf<DashboardTls>({
  secretName: true,
  commonName: true,
  clusterIssuer: true,
  issuer: true,
});

/** Returns the issuer of the certificate; undefined for an existing certificate. */
export function issuerOf(
  tls: DashboardTls,
): { readonly kind: 'ClusterIssuer' | 'Issuer'; readonly name: string } | undefined {
  if (tls.clusterIssuer !== undefined) return { kind: 'ClusterIssuer', name: tls.clusterIssuer };
  return tls.issuer === undefined ? undefined : { kind: 'Issuer', name: tls.issuer };
}

/** Warns about an issuer that is neither emitted nor declared. */
export function addTlsWarnings(scope: Construct, tls: DashboardTls | undefined, namespace: string): void {
  const issuer = tls && issuerOf(tls);
  if (issuer !== undefined) addIssuerWarnings(scope, () => ({ ...issuer, namespace }));
}

/** Returns the Secret of the certificate. */
export function tlsSecretOf(tls: DashboardTls): string {
  return tls.secretName ?? 'linkerd-viz-tls';
}

/** Returns the certificate's common name, if it has one. */
export function commonNameOf(tls: DashboardTls, host: string): string | undefined {
  return tls.commonName ?? (host.length > MAX_COMMON_NAME ? undefined : host);
}

/** Reports values that Kubernetes or cert-manager would refuse. */
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
