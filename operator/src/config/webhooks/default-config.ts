import { valueAt } from '../../../api/kubernetes/value-at';
import type { Values } from '../../../api/kubernetes/values-merge';
import type { JsonPatchOperation } from '../../runtime/client/kube-client';
import { proxyVersionOf, trustAnchorsOf } from '../values/effective-values';

/** The values that a LinkerdConfig leaves empty on purpose: those in use are written there, so that they stay. */
export interface LeftEmpty {
  readonly trustAnchors: boolean;
  readonly proxyVersion: boolean;
}

/** Tells which values a LinkerdConfig leaves empty. */
export function leftEmpty(values: Values | undefined): LeftEmpty {
  return {
    trustAnchors: values?.identityTrustAnchorsPEM === '',
    proxyVersion: valueAt(values ?? {}, 'proxy.image.version') === '',
  };
}

/**
 * Writes what is in use where a LinkerdConfig leaves it empty. What it leaves out stays out: that follows the
 * installation.
 *
 * @param running - the values of the installation. Trust anchors that do not stand in them (`identity.externalCA`) stay empty.
 */
export function defaultingPatch(empty: LeftEmpty, running: Values): readonly JsonPatchOperation[] {
  const found = [
    { path: '/spec/values/identityTrustAnchorsPEM', value: empty.trustAnchors ? trustAnchorsOf(running) : undefined },
    { path: '/spec/values/proxy/image/version', value: empty.proxyVersion ? proxyVersionOf(running) : undefined },
  ];
  return found.flatMap(({ path, value }) => (value === undefined ? [] : [{ op: 'replace' as const, path, value }]));
}
