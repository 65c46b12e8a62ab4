import type { AnchorMemory } from '#anchor/memory';
import { NO_MEMORY } from '#anchor/memory';
import {
  BRIDGE_DEFAULTS,
  TRUST_ANCHOR_DEFAULTS,
  type TrustAnchorSpec,
  type TrustAnchorStatus,
} from '#anchor/trust-anchor';
import { isMap } from '#base/values';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Resource } from '#controller-runtime/objects/resource';
import { CONFIG_GROUP } from '#operator/api/names';

/** The resource of TrustAnchors. */
export const TRUST_ANCHORS: Resource = {
  apiVersion: `${CONFIG_GROUP}/v1alpha1`,
  kind: 'TrustAnchor',
  plural: 'trustanchors',
  namespaced: false,
};

/** The policy for a cluster's trust anchor, and its status. */
export interface TrustAnchor extends KubeObject {
  readonly spec: TrustAnchorSpec;
  readonly status?: TrustAnchorStatus;
}

/** A ConfigMap. */
export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Returns a TrustAnchor with the defaults of its spec: a webhook, or a CRD of another version, may omit them. */
export function withDefaults(anchor: KubeObject & { readonly spec?: Partial<TrustAnchorSpec> }): TrustAnchor {
  const { laggards, privateKey } = TRUST_ANCHOR_DEFAULTS;
  const { spec = {} } = anchor;
  return {
    ...anchor,
    spec: {
      ...TRUST_ANCHOR_DEFAULTS,
      ...spec,
      laggards: { ...laggards, ...spec.laggards },
      privateKey: { ...privateKey, ...spec.privateKey },
      ...(spec.bridge && { bridge: { ...BRIDGE_DEFAULTS, ...spec.bridge } }),
    },
  };
}

/** Returns the memory that earlier observations left in the status; the empty one if it is invalid. */
export function memoryOf({ status }: TrustAnchor): AnchorMemory {
  const memory = status?.memory;
  if (!isMap(memory) || !Array.isArray(memory.bundles)) return NO_MEMORY;
  const bundles = memory.bundles.filter(
    (bundle) => isMap(bundle) && typeof bundle.hash === 'string' && Array.isArray(bundle.keys) && isTime(bundle.since),
  );
  const { rotation, issuer, current, rotated, leaves, forgotten, compromised, vouched, certification } = memory;
  return {
    bundles,
    ...(isMap(rotation) &&
      isTime(rotation.to) &&
      isTime(rotation.began) &&
      (rotation.oldChains === undefined || Array.isArray(rotation.oldChains)) && { rotation }),
    ...(isMap(issuer) &&
      typeof issuer.signer === 'string' &&
      isTime(issuer.since) &&
      isTime(issuer.seen) && { issuer }),
    ...(isMap(current) && typeof current.key === 'string' && { current }),
    ...(typeof rotated === 'string' && { rotated }),
    ...(typeof forgotten === 'string' && { forgotten }),
    ...(isCertification(certification) && { certification }),
    ...(isMap(leaves) && isTime(leaves.reach) && isTime(leaves.asked) && { leaves }),
    ...(isMap(compromised) &&
      Array.isArray(compromised.keys) &&
      isTime(compromised.since) &&
      isTime(compromised.until) && { compromised }),
    ...(Array.isArray(vouched) && vouched.every(isVouching) && { vouched }),
  } as AnchorMemory;
}

function isCertification(value: unknown): boolean {
  if (!isMap(value) || !Array.isArray(value.by) || !isTimeIfAny(value.since)) return false;
  return value.by.every(
    (one) => isMap(one) && typeof one.key === 'string' && isTimeIfAny(one.since) && isTimeIfAny(one.until),
  );
}

function isVouching(value: unknown): boolean {
  return isMap(value) && typeof value.key === 'string' && typeof value.by === 'string';
}

function isTimeIfAny(value: unknown): boolean {
  return value === undefined || isTime(value);
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
