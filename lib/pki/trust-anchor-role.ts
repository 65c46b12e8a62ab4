/**
 * Marks the Secrets in cert-manager's namespace whose certificates proxies trust; the value is one of the roles.
 *
 * Being found by label, a Secret may come, go and change its name without the trust bundle ever lacking a source: a
 * Bundle whose source is missing by name is not updated any more.
 */
export const TRUST_ANCHOR_LABEL = 'cdk8s-linkerd/trust-anchor';

/**
 * - `current`: the anchor that a Certificate renews.
 * - `signing`: the anchor that signs identity issuers, where it is kept apart from the current one.
 * - `previous`: the anchor before, trusted until nothing in use is signed by it.
 */
export const TRUST_ANCHOR_ROLES = ['current', 'signing', 'previous'] as const;

/** The role of a Secret in the trust bundle. */
export type TrustAnchorRole = (typeof TRUST_ANCHOR_ROLES)[number];
