/** The place of a mesh in names: its control plane's namespace and the domain of its identities. */
export interface MeshNames {
  readonly controlPlaneNamespace: string;
  readonly trustDomain: string;
}

/** The common name of an own anchor. */
export function anchorCommonName({ controlPlaneNamespace, trustDomain }: MeshNames): string {
  return `root.${controlPlaneNamespace}.${trustDomain}`;
}

/**
 * The identity that proxies expect of an issuer (linkerd2, controller/cmd/identity: `identity.<namespace>.<domain>`).
 */
export function identityName({ controlPlaneNamespace, trustDomain }: MeshNames): string {
  return `identity.${controlPlaneNamespace}.${trustDomain}`;
}
