import type { Values as EdgeControlPlane } from '../../imports/charts/linkerd-control-plane/edge-26.8.3';
import type { Values as StableControlPlane } from '../../imports/charts/linkerd-control-plane/stable-2.14.10';
import type { Values as EdgeCrds } from '../../imports/charts/linkerd-crds/edge-26.8.3';
import type { Values as StableCrds } from '../../imports/charts/linkerd-crds/stable-2.14.10';
import type { Values as Jaeger } from '../../imports/charts/linkerd-jaeger/stable-2.14.10';
import type { Values as EdgeViz } from '../../imports/charts/linkerd-viz/edge-26.8.3';
import type { Values as StableViz } from '../../imports/charts/linkerd-viz/stable-2.14.10';
import type { Values as EdgeCni } from '../../imports/charts/linkerd2-cni/edge-26.8.3';
import type { Values as StableCni } from '../../imports/charts/linkerd2-cni/stable-2.14.10';
import type { LinkerdVersion } from './versions';

/** Values of a release's linkerd-control-plane chart. */
export type ControlPlaneValues<V extends LinkerdVersion> = {
  'edge-26.8.3': EdgeControlPlane;
  'stable-2.14.10': StableControlPlane;
}[V];

/** Values of a release's linkerd-crds chart. */
export type CrdsValues<V extends LinkerdVersion> = { 'edge-26.8.3': EdgeCrds; 'stable-2.14.10': StableCrds }[V];

/** Values of a release's linkerd2-cni chart. */
export type CniValues<V extends LinkerdVersion> = { 'edge-26.8.3': EdgeCni; 'stable-2.14.10': StableCni }[V];

/** Values of a release's linkerd-viz chart. */
export type VizValues<V extends LinkerdVersion> = { 'edge-26.8.3': EdgeViz; 'stable-2.14.10': StableViz }[V];

/** Values of the linkerd-jaeger chart; where tracing is part of the control plane, none. */
export type JaegerValues<V extends LinkerdVersion> = { 'edge-26.8.3': never; 'stable-2.14.10': Jaeger }[V];
