/** Values that determine the domain of identities. */
export interface TrustDomainValues {
  readonly clusterDomain: string | undefined;
  readonly identityTrustDomain: string | undefined;
}

/** Returns the domain of all identities: that of the cluster, unless the values name another one. */
export function trustDomain({ identityTrustDomain, clusterDomain }: TrustDomainValues): string {
  return identityTrustDomain || (clusterDomain ?? '');
}
