import { isMap, overlayValues, type Value, type Values, valueAt } from '#base/values';
import { KEPT_EMPTY_KEYS } from '#operator/api/crd/kept-empty';

/**
 * Returns the intended configuration of a control plane: its installation's values with those of a LinkerdConfig merged
 * over them.
 */
export function effectiveValues(baseline: Values, over: Values | undefined): Values {
  return overlayValues(baseline, withoutKeptEmpty(withoutRunning(over ?? {})));
}

/**
 * Removes values that mean "the current one": an empty trust anchor or proxy version. Null means the same here, because
 * it would only break the mesh.
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
 * Removes keys that must stay empty. A copy of all values of the chart contains them, the control plane's ConfigMap
 * does not.
 */
function withoutKeptEmpty(values: Values): Values {
  const kept = Object.entries(values).filter(([key]) => !KEPT_EMPTY_KEYS.includes(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, isMap(value) ? withoutKeptEmpty(value) : value]));
}

/** Returns the version of the proxies that the injector adds to new pods. */
export function proxyVersionOf(values: Values): string | undefined {
  const version = valueAt(values, 'proxy.image.version') || values.linkerdVersion;
  return typeof version === 'string' && version !== '' ? version : undefined;
}

/** Returns the trust anchors in values, without external ones (`identity.externalCA`). */
export function trustAnchorsOf(values: Values): string | undefined {
  const pem = values.identityTrustAnchorsPEM;
  return typeof pem === 'string' && pem.trim() !== '' ? pem : undefined;
}
