import type { Values as ControlPlane2510 } from '#imports/charts/linkerd-control-plane/edge-25.10.7';
import type { Values as ControlPlane265 } from '#imports/charts/linkerd-control-plane/edge-26.5.1';
import type { Values as ControlPlane } from '#imports/charts/linkerd-control-plane/edge-26.8.3';
import type { Values as StableControlPlane } from '#imports/charts/linkerd-control-plane/stable-2.14.10';
import type { Values as Crds } from '#imports/charts/linkerd-crds/edge-26.8.3';
import type { Values as StableCrds } from '#imports/charts/linkerd-crds/stable-2.14.10';
import type { Values as Jaeger } from '#imports/charts/linkerd-jaeger/stable-2.14.10';
import type { Values as Multicluster } from '#imports/charts/linkerd-multicluster/edge-26.8.3';
import type { Values as Viz } from '#imports/charts/linkerd-viz/edge-26.8.3';
import type { Values as StableViz } from '#imports/charts/linkerd-viz/stable-2.14.10';
import type { Values as Cni } from '#imports/charts/linkerd2-cni/edge-26.8.3';
import type { Values as StableCni } from '#imports/charts/linkerd2-cni/stable-2.14.10';
import type { LinkerdVersion } from './known-releases';

// Values of releases that are not pinned are typed as those of the newest chart.

/** Values of a release's linkerd-control-plane chart. */
export type ControlPlaneValues<V extends LinkerdVersion = LinkerdVersion> = [V] extends ['stable-2.14.10']
  ? StableControlPlane
  : [V] extends ['2.19' | 'edge-25.11.2' | 'edge-25.11.1' | 'edge-25.10.7']
    ? ControlPlane2510
    : [V] extends [
          | 'edge-26.5.1'
          | 'edge-26.4.4'
          | 'edge-26.4.3'
          | 'edge-26.4.2'
          | 'edge-26.4.1'
          | 'edge-26.3.3'
          | 'edge-26.3.2'
          | 'edge-26.3.1'
          | 'edge-26.2.1'
          | 'edge-26.1.4'
          | 'edge-26.1.3'
          | 'edge-26.1.2'
          | 'edge-26.1.1'
          | 'edge-25.12.3'
          | 'edge-25.12.2'
          | 'edge-25.12.1'
          | 'edge-25.11.3',
        ]
      ? ControlPlane265
      : ControlPlane;

/** Values of a release's linkerd-crds chart. */
export type CrdsValues<V extends LinkerdVersion = LinkerdVersion> = [V] extends ['stable-2.14.10'] ? StableCrds : Crds;

/** Values of a release's linkerd2-cni chart. */
export type CniValues<V extends LinkerdVersion = LinkerdVersion> = [V] extends ['stable-2.14.10'] ? StableCni : Cni;

/** Values of a release's linkerd-viz chart. */
export type VizValues<V extends LinkerdVersion = LinkerdVersion> = [V] extends ['stable-2.14.10'] ? StableViz : Viz;

/** Values of the linkerd-jaeger chart; none if tracing is part of the control plane. */
export type JaegerValues<V extends LinkerdVersion = LinkerdVersion> = [V] extends [
  Exclude<LinkerdVersion, 'stable-2.14.10'>,
]
  ? never
  : Jaeger;

/** Values of a release's linkerd-multicluster chart; none for 2.14, whose chart has no service mirrors. */
export type MulticlusterValues<V extends LinkerdVersion = LinkerdVersion> = [V] extends ['stable-2.14.10']
  ? never
  : Multicluster;

/** The values of one service mirror in the linkerd-multicluster chart, without those that its link sets. */
export type ServiceMirrorValues = Omit<
  NonNullable<Multicluster['controllers']>[number],
  'link' | 'gateway' | 'enableHeadlessServices'
>;
