import type { Container, PodSpec, Probe, SecurityContext, VolumeMount } from '#imports/kubernetes';
import type { RenderContext } from '#linkerd/charts/render-context';
import { isEmpty } from '../../empty';
import { image } from '../../pod/images';
import { resources } from '../../pod/resources';
import { unprivileged } from '../../pod/security-context';
import type { ControlPlaneView } from '../control-plane-view';
import { POD_INFO_PATH, proxyEnvironment } from './environment';
import type { MeshedPod } from './meshed-pod';
import { networkValidator, proxyInit } from './proxy-init';
import { END_ENTITY_MOUNT, hasPodInfo, POD_INFO, TOKEN_MOUNT, tokenMount } from './volumes';

/**
 * Returns the containers of a pod: its controllers, the proxy, and an init container. The init container redirects the
 * pod's traffic to the proxy, or waits until the CNI plugin has redirected it.
 */
export function meshedContainers(
  values: ControlPlaneView,
  context: RenderContext,
  pod: MeshedPod,
  controllers: readonly Container[],
): Pick<PodSpec, 'containers' | 'initContainers'> {
  const proxy = proxySidecar(values, context, pod);
  const first = values.cniEnabled ? networkValidator(values, pod) : proxyInit(values, pod);
  if (pod.isNativeSidecar) return { containers: controllers, initContainers: [first, proxy] };
  // A proxy for which the controllers wait comes first: the kubelet starts containers one by one.
  const isFirst = pod.name !== 'linkerd-identity';
  return { containers: isFirst ? [proxy, ...controllers] : [...controllers, proxy], initContainers: [first] };
}

function proxySidecar(values: ControlPlaneView, context: RenderContext, pod: MeshedPod): Container {
  const { proxy } = values;
  return {
    name: 'linkerd-proxy',
    ...image(proxy.image, values),
    env: proxyEnvironment(values, context, pod),
    ...probes(values, pod),
    ...lifecycle(values, pod),
    ports: [
      { containerPort: proxy.ports.inbound ?? 0, name: 'linkerd-proxy' },
      { containerPort: proxy.ports.admin ?? 0, name: 'linkerd-admin' },
    ],
    resources: resources(pod.resources),
    ...(pod.isNativeSidecar ? { restartPolicy: 'Always' } : {}),
    securityContext: isEmpty(proxy.securityContext)
      ? unprivileged(proxy.uid, proxy.gid)
      : (proxy.securityContext as SecurityContext),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: volumeMounts(values),
  };
}

function probes({ proxy }: ControlPlaneView, pod: MeshedPod): Partial<Container> {
  const ask = (path: string): Probe => ({ httpGet: { path, port: proxy.ports.admin ?? 0 } });
  const { initialDelaySeconds, periodSeconds, failureThreshold } = proxy.startupProbe;
  return {
    livenessProbe: { ...ask('/live'), ...delays(proxy.livenessProbe) },
    readinessProbe: { ...ask('/ready'), ...delays(proxy.readinessProbe) },
    ...(pod.isNativeSidecar && pod.isAwaited
      ? { startupProbe: { ...ask('/ready'), initialDelaySeconds, periodSeconds, failureThreshold } }
      : {}),
  };
}

type Delays = Pick<Probe, 'initialDelaySeconds' | 'timeoutSeconds'>;

function delays({ initialDelaySeconds, timeoutSeconds }: Delays): Delays {
  return { initialDelaySeconds, timeoutSeconds };
}

/** Delays the containers after the proxy. For a native sidecar, its startup probe delays them. */
function lifecycle({ proxy }: ControlPlaneView, pod: MeshedPod): Partial<Container> {
  if (pod.isNativeSidecar || !pod.isAwaited) return {};
  const command = ['/usr/lib/linkerd/linkerd-await', '--timeout=2m', `--port=${proxy.ports.admin ?? ''}`];
  return { lifecycle: { postStart: { exec: { command } } } };
}

function volumeMounts(values: ControlPlaneView): readonly VolumeMount[] {
  const { proxy, identity } = values;
  return [
    END_ENTITY_MOUNT,
    ...(hasPodInfo(values) ? [{ mountPath: POD_INFO_PATH, name: POD_INFO }] : []),
    ...(identity.serviceAccountTokenProjection ? [TOKEN_MOUNT] : []),
    ...tokenMount(proxy.saMountPath),
  ];
}
