import type { TrustAnchorSpec } from '#anchor/trust-anchor';
import { isMap } from '#base/values';
import { isApiError } from '#controller-runtime/client/api-error';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import { NAMESPACES } from '#controller-runtime/objects/built-in-resources';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import {
  type AdmissionAnswer,
  type AdmissionRequest,
  BadAdmissionRequest,
  type WebhookRoute,
} from '#controller-runtime/webhook/admission';
import { TRUST_ANCHOR_PATH } from '#operator/api/webhooks/trust-anchor';
import { rejectionText } from '../../config/checks/rejection-text';
import { CERTIFICATES } from '../../pki/cert-manager';
import type { AnchorPlaces } from '../caches/anchor-caches';
import { withDefaults } from '../objects/trust-anchor';
import { type AnchorRequest, anchorWarnings, checkTrustAnchor } from './check-trust-anchor';

/** The context of the webhook for TrustAnchors. */
export interface AnchorWebhookContext extends AnchorPlaces {
  readonly client: KubeClient;
  /** Returns the number of meshed workloads; undefined if unknown to this process. */
  readonly countWorkloads: () => number | undefined;
  readonly clock: () => Date;
}

/** Less than the timeout of the API server, which is ten seconds. */
const READ_TIMEOUT_MS = 3_000;

/** There is one TrustAnchor, which is rarely written. */
const CONCURRENCY = 2;

/** Maximum number of values in a review of two TrustAnchors, with the lists of a status and its memory. */
const MAX_VALUES = 16_000;

const MAX_BYTES = 4 * 2 ** 20;

/** Returns the webhook for TrustAnchors. */
export function trustAnchorRoutes(context: AnchorWebhookContext): readonly WebhookRoute[] {
  return [
    {
      path: TRUST_ANCHOR_PATH,
      concurrency: CONCURRENCY,
      mostValues: MAX_VALUES,
      mostBytes: MAX_BYTES,
      handle: (request) => answer(requested(request), context),
    },
  ];
}

async function answer(request: AnchorRequest, context: AnchorWebhookContext): Promise<AdmissionAnswer> {
  const { controlPlaneNamespace, certManagerNamespace } = request.anchor.spec;
  const isNew = request.old === undefined;
  const [missingNamespaces, hasCertManager] = await Promise.all([
    isNew ? missingOf([controlPlaneNamespace, certManagerNamespace], context) : [],
    isNew ? knowsCertificates(certManagerNamespace, context) : true,
  ]);
  const { linkerdNamespace, certManagerNamespace: served, clock } = context;
  const evidence = {
    missingNamespaces,
    hasCertManager,
    served: { linkerdNamespace, certManagerNamespace: served },
    workloads: context.countWorkloads(),
    now: clock().getTime(),
  };
  const problems = checkTrustAnchor(request, evidence);
  if (problems.length > 0) return { allowed: false, message: rejectionText(problems) };
  return { allowed: true, warnings: anchorWarnings(request, evidence) };
}

function requested({ object, oldObject }: AdmissionRequest): AnchorRequest {
  if (!isTrustAnchor(object)) throw new BadAdmissionRequest('object is not a TrustAnchor');
  return { anchor: withDefaults(object), ...(isTrustAnchor(oldObject) && { old: withDefaults(oldObject) }) };
}

function isTrustAnchor(object: unknown): object is KubeObject & { readonly spec?: Partial<TrustAnchorSpec> } {
  return isMap(object) && isMap(object.metadata) && (object.spec === undefined || isMap(object.spec));
}

async function missingOf(names: readonly string[], { client }: AnchorWebhookContext): Promise<readonly string[]> {
  const found = await Promise.all(names.map((name) => client.get(NAMESPACES, name, { timeoutMs: READ_TIMEOUT_MS })));
  return names.filter((_, index) => found[index] === undefined);
}

/** Whether the API server serves Certificates; true if the operator has no permission to check. */
async function knowsCertificates(namespace: string, { client }: AnchorWebhookContext): Promise<boolean> {
  try {
    const none = { fieldSelector: 'metadata.name=none', metadataOnly: true };
    await client.list(CERTIFICATES, { namespace, ...none, timeoutMs: READ_TIMEOUT_MS });
    return true;
  } catch (error) {
    if (isApiError(error, 403)) return true;
    if (isApiError(error, 404)) return false;
    throw error;
  }
}
