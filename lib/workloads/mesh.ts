import type { Values } from '../releases/values';
import { featuresOf, type LinkerdVersion } from '../releases/versions';

/** The mesh that pods become part of: a LinkerdControlPlane is one. */
export interface Mesh {
  /** Release of the control plane. */
  readonly version: LinkerdVersion;

  /**
   * Tells whether proxies are native sidecars unless a pod or namespace says otherwise: the control plane's value
   * `proxy.nativeSidecar`.
   *
   * @default - as the release has it: true, but not in 2.14
   */
  readonly nativeSidecars?: boolean;

  /**
   * All values of the control plane's chart.
   *
   * @default - not known: settings that need others of the control plane are not checked
   *
   * @internal
   */
  readonly effectiveValues?: Values;
}

/** Tells whether a mesh's proxies are native sidecars unless told otherwise. To be asked at synth. */
export function hasNativeSidecars({ version, nativeSidecars }: Mesh): boolean {
  return nativeSidecars ?? featuresOf(version).nativeSidecars;
}
