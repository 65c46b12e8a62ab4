import type { TrustAnchorStatus } from '#anchor/trust-anchor';
import { canonicalJson } from '#base/canonical-json';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import { TRUST_ANCHORS, type TrustAnchor } from '../objects/trust-anchor';

/** Returns what changed in a status: nothing, numbers that change with each pod (`details`), or more (`news`). */
export function statusNews(
  before: TrustAnchorStatus | undefined,
  after: TrustAnchorStatus,
): 'none' | 'details' | 'news' {
  if (canonicalJson(inOrder(before)) === canonicalJson(inOrder(after))) return 'none';
  return canonicalJson(essence(before)) === canonicalJson(essence(after)) ? 'details' : 'news';
}

/** Sorts conditions: the API server keeps them in its own order. */
function inOrder(status: TrustAnchorStatus | undefined): TrustAnchorStatus {
  return { ...status, conditions: (status?.conditions ?? []).toSorted((a, b) => (a.type < b.type ? -1 : 1)) };
}

/** Returns the parts of a status that count as news, without numbers that change with each pod. */
function essence(status: TrustAnchorStatus | undefined): unknown {
  const { conditions, laggards, slack: _, bridge, compromised, ...rest } = inOrder(status);
  return {
    ...rest,
    request: bridge?.request,
    leaked: compromised && { keys: compromised.keys, isOver: compromised.pods === 0 && !compromised.inBundle },
    hasLaggards: (laggards?.pods ?? 0) > 0,
    conditions: conditions?.map(({ type, status: value, reason }) => ({ type, value, reason })),
  };
}

/**
 * Writes a status.
 * @returns the TrustAnchor with it
 * @throws ApiError 409 if the TrustAnchor changed since it was read: the observation is then out of date
 */
export async function writeStatus(
  anchor: TrustAnchor,
  status: TrustAnchorStatus,
  { client, signal }: { readonly client: KubeClient; readonly signal: AbortSignal },
): Promise<TrustAnchor> {
  const { name, resourceVersion } = anchor.metadata;
  const written = await client.apply<Pick<TrustAnchor, 'metadata' | 'status'>>(
    TRUST_ANCHORS,
    { metadata: { name, resourceVersion }, status },
    { subresource: 'status', force: true, signal },
  );
  const { managedFields: _, ...metadata } = written.metadata;
  return { ...anchor, metadata, ...(written.status && { status: written.status }) };
}
