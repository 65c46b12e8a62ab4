import { KEPT_EMPTY_KEYS } from '../../../api/crd/kept-empty';
import { valueAt } from '../../../api/kubernetes/value-at';
import { isMap, overlayValues, type Value, type Values } from '../../../api/kubernetes/values-merge';

/** The configuration that a control plane should have: its installation's values with those of a LinkerdConfig over them. */
export function effectiveValues(baseline: Values, over: Values | undefined): Values {
  return overlayValues(baseline, withoutKeptEmpty(withoutRunning(over ?? {})));
}

/**
 * Takes away what stands for "the one in use": an empty trust anchor or proxy version. As they would only leave the
 * mesh without the one or the other, null means the same here.
 */
function withoutRunning({ identityTrustAnchorsPEM, proxy, ...others }: Values): Values {
  return {
    ...others,
    ...(identityTrustAnchorsPEM ? { identityTrustAnchorsPEM } : {}),
    ...(proxy === undefined ? {} : { proxy: withoutRunningVersion(proxy) }),
  };
}

function withoutRunningVersion(proxy: Value): Value {
  if (!isMap(proxy) || !isMap(proxy.image) || proxy.image.version) return proxy;
  const { version: _running, ...image } = proxy.image;
  return { ...proxy, image };
}

/**
 * Leaves out keys that stay empty: a list of all values of the chart has them, and the control plane's ConfigMap does
 * not.
 */
function withoutKeptEmpty(values: Values): Values {
  const kept = Object.entries(values).filter(([key]) => !KEPT_EMPTY_KEYS.includes(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, isMap(value) ? withoutKeptEmpty(value) : value]));
}

/** The version of the proxies that the injector gives to new pods. */
export function proxyVersionOf(values: Values): string | undefined {
  const version = valueAt(values, 'proxy.image.version') || values.linkerdVersion;
  return typeof version === 'string' && version !== '' ? version : undefined;
}

/** The trust anchors that stand in values; those that come from outside of them (`identity.externalCA`) do not. */
export function trustAnchorsOf(values: Values): string | undefined {
  const pem = values.identityTrustAnchorsPEM;
  return typeof pem === 'string' && pem.trim() !== '' ? pem : undefined;
}
