import { isMap, type Value, type Values } from '../../../kubernetes/values';
import { isEmpty } from '../empty';

/** Values that give the proxy of one Deployment resources of its own. */
const OWN_RESOURCES = ['destinationProxyResources', 'identityProxyResources', 'proxyInjectorProxyResources'];

/**
 * Completes the resources of single proxies with those of all proxies. The chart does it to the values themselves, so
 * that it shows in the `linkerd-config` ConfigMap, too.
 */
export function withProxyResources(values: Values): Values {
  const all = isMap(values.proxy) && isMap(values.proxy.resources) ? values.proxy.resources : {};
  const completed: Record<string, Value | undefined> = { ...values };
  for (const key of OWN_RESOURCES) {
    const own = values[key];
    if (isMap(own) && !isEmpty(own)) completed[key] = fillEmpty(own, all);
  }
  return completed;
}

/** Gives empty members the value they have in `fallback`, maps member by member: what `merge` does in templates. */
function fillEmpty(values: Values, fallback: Values): Values {
  const filled: Record<string, Value | undefined> = { ...values };
  for (const [key, value] of Object.entries(fallback)) {
    const own = values[key];
    if (isMap(own) && isMap(value)) filled[key] = fillEmpty(own, value);
    else if (isEmpty(own)) filled[key] = value;
  }
  return filled;
}
