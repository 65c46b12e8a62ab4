import { valueAt } from '../../../../packages/base/value-at';
import type { Values } from '../../../../packages/base/values-merge';
import type { JsonPatchOperation } from '../../../../packages/controller-runtime/client/kube-client';
import { proxyVersionOf, trustAnchorsOf } from '../values/effective-values';

/** The values that a LinkerdConfig leaves empty on purpose: the current ones are filled in, so that they stay. */
export interface LeftEmpty {
  readonly trustAnchors: boolean;
  readonly proxyVersion: boolean;
}

/** Returns the values that a LinkerdConfig leaves empty. */
export function leftEmpty(values: Values | undefined): LeftEmpty {
  return {
    trustAnchors: values?.identityTrustAnchorsPEM === '',
    proxyVersion: valueAt(values ?? {}, 'proxy.image.version') === '',
  };
}

/**
 * Fills in the current values that a LinkerdConfig leaves empty. Omitted values stay omitted: they follow the
 * installation.
 *
 * @param running - the values of the installation. Trust anchors from outside (`identity.externalCA`) stay empty.
 */
export function defaultingPatch(empty: LeftEmpty, running: Values): readonly JsonPatchOperation[] {
  const found = [
    { path: '/spec/values/identityTrustAnchorsPEM', value: empty.trustAnchors ? trustAnchorsOf(running) : undefined },
    { path: '/spec/values/proxy/image/version', value: empty.proxyVersion ? proxyVersionOf(running) : undefined },
  ];
  return found.flatMap(({ path, value }) => (value === undefined ? [] : [{ op: 'replace' as const, path, value }]));
}
