import type { Problem } from '#base/findings/problem';
import { isMap, type Value, type Values, valueAt } from '#base/values';
import { checkAmount } from '../proxy-values/quantity';
import { checkContainers } from './containers';
import { checkHeaderLogs } from './header-logs';
import { type Injector, reads } from './injector';
import { checkNeededMaps } from './missing-maps';
import { checkSidecarWait } from './native-sidecar';
import { checkProxyInit } from './proxy-init';
import { checkPortsDiffer } from './proxy-ports';
import { checkProxyTracing } from './proxy-tracing';
import { checkNeededValues, checkValueTypes } from './typed-values';

/**
 * Checks values for anything that would make the injector fail for each pod, or create pods that Kubernetes refuses or
 * nodes do not start. It injects proxies by the chart's templates for those of the control plane (linkerd2,
 * charts/patch/templates/patch.json), so it refuses for each pod what the chart refuses about proxies.
 *
 * @param values all values that the injector would have
 * @param injector that of the values' release
 */
export function checkInjection(values: Values, injector: Injector): readonly Problem[] {
  const { cniEnabled, proxy, proxyInit } = values;
  return [
    ...checkNeededMaps(values, injector.neededMaps, 'injector'),
    ...checkNeededValues(values, injector),
    ...checkProxyValues(values, injector),
    ...(reads(injector, 'proxy.tracing') ? checkProxyTracing(values) : []),
    ...(isMap(proxy) ? checkProxy(proxy, injector) : []),
    ...(isMap(proxyInit) ? checkProxyInit({ cniEnabled, proxyInit }, injector) : []),
  ];
}

function checkProxy(proxy: Values, injector: Injector): readonly Problem[] {
  return [
    ...(reads(injector, 'proxy.logHTTPHeaders') ? checkHeaderLogs(proxy) : []),
    ...(injector.nativeSidecarRefusesWait ? checkSidecarWait(proxy) : []),
  ];
}

/** Checks only the given values: missing ones may be set elsewhere. */
export function checkProxyValues(values: Values, injector: Injector): readonly Problem[] {
  const ports = valueAt(values, 'proxy.ports');
  return [
    ...checkValueTypes(values, injector),
    ...resourcesIn(values).flatMap(([path, resources]) => checkResources(`values.${path}`, resources)),
    ...checkContainers(values, injector),
    ...(isMap(ports) ? checkPortsDiffer('values.proxy.ports', ports) : []),
  ];
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
