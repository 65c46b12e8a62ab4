import {
  INJECT,
  PROXY_CPU_LIMIT,
  PROXY_CPU_REQUEST,
  PROXY_MEMORY_LIMIT,
  PROXY_MEMORY_REQUEST,
  PROXY_WAIT_BEFORE_EXIT_SECONDS,
} from '../../../annotations';
import { creator } from '../metadata/creator';
import type { VizView } from '../viz-view';
import type { ProxyValues } from './component-values';

/** A pod that has no data of its own: the autoscaler may take its node away. */
export const SAFE_TO_EVICT = { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' };

/** Annotations of a pod of Viz, so that it is meshed; further ones give way to these. */
export function podAnnotations(
  values: VizView,
  proxy: ProxyValues | undefined,
  further: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    ...creator(values),
    ...proxyAnnotations(proxy),
    ...further,
    [INJECT]: 'enabled',
    [PROXY_WAIT_BEFORE_EXIT_SECONDS]: '0',
  };
}

function proxyAnnotations({ resources }: ProxyValues = {}): Record<string, string> {
  const quantities = {
    [PROXY_CPU_REQUEST]: resources?.cpu?.request,
    [PROXY_CPU_LIMIT]: resources?.cpu?.limit,
    [PROXY_MEMORY_REQUEST]: resources?.memory?.request,
    [PROXY_MEMORY_LIMIT]: resources?.memory?.limit,
  };
  const given = Object.entries(quantities).filter(([, quantity]) => quantity);
  return Object.fromEntries(given.map(([key, quantity]) => [key, `${quantity}`]));
}
