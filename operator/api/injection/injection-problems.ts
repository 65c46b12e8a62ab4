import type { Problem } from '../problem';
import { valueAt } from '../value-at';
import { isMap, type Values } from '../values-merge';
import { amountProblems } from './amounts';
import { containerProblems } from './container-rules';
import { headerLogProblems } from './header-logs';
import { missingMapProblems } from './missing-maps';
import { proxyInitProblems } from './proxy-init';
import { equalPortProblems } from './proxy-ports';
import { proxyTracingProblems } from './proxy-tracing';
import { missingValueProblems, NEEDED_MAPS, typedValueProblems } from './typed-values';

const WHY = 'The injector looks into it for each pod that it meshes: none could be meshed any more';

/**
 * What the injector would fail on for each pod, or make pods of that Kubernetes refuses or nodes do not start. It makes
 * proxies by the templates that the chart has for those of the control plane (linkerd2, charts/patch/templates/patch.json),
 * so that what the chart refuses about proxies it refuses for each pod.
 *
 * @param values all values that the injector would have
 */
export function injectionProblems(values: Values): readonly Problem[] {
  const { cniEnabled, proxy, proxyInit } = values;
  return [
    ...missingMapProblems(values, NEEDED_MAPS, WHY),
    ...missingValueProblems(values),
    ...proxyValueProblems(values),
    ...proxyTracingProblems(values),
    ...(isMap(proxy) ? headerLogProblems(proxy) : []),
    ...(isMap(proxyInit) ? proxyInitProblems({ cniEnabled, proxyInit }) : []),
  ];
}

/** The same of the values that are given alone: what is missing may stand elsewhere. */
export function proxyValueProblems(values: Values): readonly Problem[] {
  const ports = valueAt(values, 'proxy.ports');
  return [
    ...typedValueProblems(values),
    ...amountProblems(values),
    ...containerProblems(values),
    ...(isMap(ports) ? equalPortProblems('values.proxy.ports', ports) : []),
  ];
}
