import type { Container, PodSpec } from '../../../../../imports/kubernetes';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import type { MeshedPod } from './meshed-pod';
import { networkValidator, proxyInit } from './proxy-init';
import { proxySidecar } from './sidecar';

/** The containers of a pod: its controllers, their proxy, and what redirects the traffic or waits for that. */
export function meshedContainers(
  values: ControlPlaneView,
  context: RenderContext,
  pod: MeshedPod,
  controllers: readonly Container[],
): Pick<PodSpec, 'containers' | 'initContainers'> {
  const proxy = proxySidecar(values, context, pod);
  const first = values.cniEnabled ? networkValidator(values, pod) : proxyInit(values, pod);
  if (pod.isNativeSidecar) return { containers: controllers, initContainers: [first, proxy] };
  // A proxy that is waited for comes first: the kubelet starts containers one by one.
  const isFirst = pod.name !== 'linkerd-identity';
  return { containers: isFirst ? [proxy, ...controllers] : [...controllers, proxy], initContainers: [first] };
}
