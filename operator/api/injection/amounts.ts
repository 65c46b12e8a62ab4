import type { Problem } from '../../../packages/base/findings/problem';
import { valueAt } from '../../../packages/base/value-at';
import { isMap, type Value, type Values } from '../../../packages/base/values-merge';
import { checkAmount } from '../proxy-values/quantity';

/** Checks the resources of proxies, init containers and components for what Kubernetes refuses. */
export function checkAmounts(values: Values): readonly Problem[] {
  return resourcesIn(values).flatMap(([path, resources]) => checkResources(`values.${path}`, resources));
}

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

/** undefined if the chart treats the value as absent. */
function amountText(value: Value | undefined): string | undefined {
  return value === undefined || value === null || value === '' || typeof value === 'object' ? undefined : `${value}`;
}
