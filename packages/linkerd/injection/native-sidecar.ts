import type { Problem } from '#base/findings/problem';
import type { Value } from '#base/values';
import { INJECTION_FINDINGS } from './findings';

/** The values that determine how a proxy stops. */
export interface SidecarEnd {
  readonly nativeSidecar?: Value;
  readonly waitBeforeExitSeconds?: Value;
}

/** Reports a native sidecar with a wait before its exit, which some charts and injectors refuse. */
export function checkSidecarWait({ nativeSidecar, waitBeforeExitSeconds }: SidecarEnd): readonly Problem[] {
  if (!nativeSidecar || !waitBeforeExitSeconds) return [];
  return [
    INJECTION_FINDINGS.injectedValueRefusedNativeSidecar(
      { seconds: String(waitBeforeExitSeconds) },
      { about: 'values.proxy.waitBeforeExitSeconds' },
    ),
  ];
}
