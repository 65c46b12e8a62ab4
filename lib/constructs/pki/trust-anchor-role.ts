/**
 * The roles of Secrets in the trust bundle:
 *
 * - `current`: the anchor that a Certificate renews.
 * - `signing`: the anchor that signs identity issuers, where it is kept apart from the current one.
 * - `previous`: the anchor before, trusted until nothing in use is signed by it.
 */
export const TRUST_ANCHOR_ROLES = ['current', 'signing', 'previous'] as const;
