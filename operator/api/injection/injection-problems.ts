import type { Problem } from '../problem';
import { isMap, type Values } from '../values-merge';
import { headerLogProblems } from './header-logs';
import { missingMapProblems } from './missing-maps';
import { proxyInitProblems } from './proxy-init';
import { proxyTracingProblems } from './proxy-tracing';

/** Maps that the injector looks into for each pod. */
export const INJECTION_MAPS: readonly string[] = [
  'networkValidator',
  'proxy',
  'proxy.image',
  'proxy.livenessProbe',
  'proxy.ports',
  'proxy.readinessProbe',
  'proxyInit',
];

/** Keys of the values that the rules look at. */
export const INJECTION_VALUES: readonly string[] = ['cniEnabled', 'networkValidator', 'proxy', 'proxyInit'];

const WHY = 'The injector looks into it for each pod that it meshes: none could be meshed any more';

/**
 * What the injector would fail on for each pod. It makes proxies by the templates that the chart has for those of the
 * control plane (linkerd2, charts/patch/templates/patch.json), so that what the chart refuses about proxies it refuses
 * for each pod.
 *
 * @param values all values that the injector would have
 */
export function injectionProblems(values: Values): readonly Problem[] {
  const { cniEnabled, proxy, proxyInit } = values;
  return [
    ...missingMapProblems(values, INJECTION_MAPS, WHY),
    ...proxyTracingProblems(values),
    ...(isMap(proxy) ? headerLogProblems(proxy) : []),
    ...(isMap(proxyInit) ? proxyInitProblems({ cniEnabled, proxyInit }) : []),
  ];
}
