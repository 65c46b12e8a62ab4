/**
 * - `current`: the anchor that a Certificate renews.
 * - `signing`: the anchor that signs identity issuers, where it is kept apart from the current one.
 * - `previous`: the anchor before, trusted until nothing in use is signed by it.
 */
export const TRUST_ANCHOR_ROLES = ['current', 'signing', 'previous'] as const;

/** The role of a Secret in the trust bundle. */
export type TrustAnchorRole = (typeof TRUST_ANCHOR_ROLES)[number];
