import type { EnvVar } from '../../../../../imports/kubernetes';
import { isEmpty } from '../../empty';
import { env, envUnlessEmpty } from '../../pod/environment';
import type { ControlPlaneView } from '../control-plane-view';
import type { MeshedPod } from './meshed-pod';

/** Returns the variables for the number of a proxy's worker threads: fixed, or between bounds. */
export function workerEnvironment({ proxy, templates }: ControlPlaneView, { cores }: MeshedPod): readonly EnvVar[] {
  if (!templates.proxyBounds) return envUnlessEmpty('LINKERD2_PROXY_CORES', cores);
  if (cores) return atLeast(cores);
  const { workers } = proxy.runtime;
  if (isEmpty(workers)) return [];
  const { minimum, maximum, maximumCPURatio } = workers;
  return [
    ...atLeast(minimum || 1),
    ...envUnlessEmpty('LINKERD2_PROXY_CORES_MAX', maximum),
    ...envUnlessEmpty('LINKERD2_PROXY_CORES_MAX_RATIO', maximumCPURatio),
  ];
}

/** Proxies since 2.18 read the second variable, older ones the first. */
function atLeast(cores: number): readonly EnvVar[] {
  return [env('LINKERD2_PROXY_CORES', cores), env('LINKERD2_PROXY_CORES_MIN', cores)];
}
