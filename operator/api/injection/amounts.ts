import type { Problem } from '../kubernetes/problem';
import { valueAt } from '../kubernetes/value-at';
import { isMap, type Value, type Values } from '../kubernetes/values-merge';
import { checkAmount } from '../proxy-values/quantity';

/** Checks the resources of proxies, init containers and components by what Kubernetes refuses. */
export function checkAmounts(values: Values): readonly Problem[] {
  return resourcesIn(values).flatMap(([path, resources]) => checkResources(`values.${path}`, resources));
}

/** The resources of the proxy, its init container and the components: `destinationResources` and the like. */
function resourcesIn(values: Values): readonly (readonly [path: string, resources: Values])[] {
  const paths = Object.keys(values).filter((key) => key.endsWith('Resources'));
  return ['proxy.resources', 'proxyInit.resources', 'policyController.resources', ...paths].flatMap((path) => {
    const resources = valueAt(values, path);
    return isMap(resources) ? [[path, resources] as const] : [];
  });
}

function checkResources(field: string, resources: Values): readonly Problem[] {
  return Object.entries(resources).flatMap(([resource, amount]) =>
    isMap(amount)
      ? checkAmount(
          `${field}.${resource}`,
          { request: amountText(amount.request), limit: amountText(amount.limit) },
          resource !== 'cpu',
        )
      : [],
  );
}

/** A value as text, absent where the chart takes it for none. */
function amountText(value: Value | undefined): string | undefined {
  return value === undefined || value === null || value === '' || typeof value === 'object' ? undefined : `${value}`;
}
