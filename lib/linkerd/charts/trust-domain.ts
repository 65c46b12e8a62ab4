/** Values that decide in whose name identities are issued. */
export interface TrustDomainValues {
  readonly clusterDomain: string | undefined;
  readonly identityTrustDomain: string | undefined;
}

/** The domain of all identities: that of the cluster, unless the values name another one. */
export function trustDomain({ identityTrustDomain, clusterDomain }: TrustDomainValues): string {
  return identityTrustDomain || (clusterDomain ?? '');
}
