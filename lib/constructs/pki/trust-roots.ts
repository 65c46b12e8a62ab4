import { isOwnAnchor, type TrustAnchorSource } from './trust-anchor';
import { type ParsedAnchors, parseAnchors } from './trust-roots-pem';

/**
 * The place from which the trust bundle takes the mesh's anchors; never the identity issuer, whose `ca.crt` lags
 * behind.
 */
export type TrustRoots =
  | {
      readonly from: 'secrets';
      /** Key of the certificates in each labelled Secret. */
      readonly key: string;
      /** Anchors besides, of which there is no Secret. */
      readonly previous?: ParsedAnchors;
    }
  | { readonly from: 'pem'; readonly parsed: ParsedAnchors };

/** The trust roots that go with an anchor. */
export function trustRootsOf(source: TrustAnchorSource): TrustRoots {
  if (source.from === 'secret') return { from: 'secrets', key: source.key };
  if (isOwnAnchor(source)) {
    const previous = source.operator?.previous;
    return {
      from: 'secrets',
      key: 'tls.crt',
      ...(previous !== undefined && { previous: parseAnchors('trustAnchor.operator.previous', previous) }),
    };
  }
  const { roots } = source;
  if (roots.certificates !== undefined) {
    return { from: 'pem', parsed: parseAnchors('trustAnchor.certificates', roots.certificates) };
  }
  return { from: 'secrets', key: roots.key ?? 'ca.crt' };
}

/** The Secret of an anchor that is not made here, which must exist and carry a label. */
export function foreignSecretOf(source: TrustAnchorSource): string | undefined {
  if (source.from === 'secret') return source.secretName;
  return source.from === 'issuer' ? source.roots.secretName : undefined;
}
