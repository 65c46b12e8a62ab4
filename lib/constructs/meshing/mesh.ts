import { type Values, valueAt } from '#base/values';
import { part } from '#kubernetes/options/known-keys';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { type GivenRelease, releaseOf } from '#linkerd/releases/release';

/** The mesh that pods join: a LinkerdControlPlane is one. */
export interface Mesh {
  /** Release of the control plane. */
  readonly release: GivenRelease;

  /**
   * Whether proxies are native sidecars, unless a pod or namespace sets this itself: the control plane's value
   * `proxy.nativeSidecar`.
   *
   * @default - as in the release: true from edge-26.5.2 on, false before
   */
  readonly nativeSidecars?: boolean;

  /**
   * The networks from which kubelets probe pods, if another tool installs the control plane: its value
   * `policyController.probeNetworks`.
   *
   * @default - those of the control plane, else all
   */
  readonly nodeNetworks?: readonly string[];

  /**
   * All values of the control plane's chart.
   *
   * @default - unknown: settings that depend on these values are not checked
   *
   * @internal
   */
  readonly effectiveValues?: Values;
}

/** The mesh that workloads join. */
export const MESH = part('a LinkerdControlPlane or a map with the release of one', 'release');

/** Whether a mesh's proxies are native sidecars by default. Call it at synth. */
export function hasNativeSidecars({ release, nativeSidecars }: Mesh): boolean {
  return nativeSidecars ?? valueAt(defaultsOf(releaseOf(release)).controlPlane, 'proxy.nativeSidecar') === true;
}

/** Returns the known values of a mesh's control plane. Call it at synth. */
export function knownValuesOf(mesh: Mesh): Values {
  // Not destructured above: internal members are not in the declarations.
  const { effectiveValues, nodeNetworks } = mesh;
  if (effectiveValues !== undefined) return effectiveValues;
  return Array.isArray(nodeNetworks) ? { policyController: { probeNetworks: [...nodeNetworks] } } : {};
}
