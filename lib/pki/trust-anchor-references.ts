import type { Reference } from '../tree/references';
import type { TrustAnchorSource } from './trust-anchor';
import { foreignSecretOf } from './trust-roots';

/** Returns what an anchor that is not made here takes for granted in the cluster. */
export function externalReferences(
  source: TrustAnchorSource,
  certManagerNamespace: string,
  controlPlaneNamespace: string,
): readonly Reference[] {
  const secretName = foreignSecretOf(source);
  return [
    ...(secretName === undefined
      ? []
      : [{ kind: 'Secret', namespace: certManagerNamespace, name: secretName } as const]),
    ...(source.from === 'issuer' ? issuerReferences(source.issuer, controlPlaneNamespace) : []),
  ];
}

function issuerReferences(
  issuer: { readonly name: string; readonly kind?: string },
  namespace: string,
): readonly Reference[] {
  const kind = issuer.kind ?? 'ClusterIssuer';
  if (kind === 'ClusterIssuer') return [{ kind, name: issuer.name }];
  return kind === 'Issuer' ? [{ kind, namespace, name: issuer.name }] : [];
}
