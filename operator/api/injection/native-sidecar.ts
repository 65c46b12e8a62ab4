import type { Problem } from '../kubernetes/problem';
import type { Value } from '../kubernetes/values-merge';
import { INJECTION_FINDINGS } from './findings';

/** The values that decide about the end of a proxy. */
export interface SidecarEnd {
  readonly nativeSidecar?: Value;
  readonly waitBeforeExitSeconds?: Value;
}

/** Checks the end of proxies by what charts and injectors refuse that know no native sidecar which waits. */
export function checkSidecarWait({ nativeSidecar, waitBeforeExitSeconds }: SidecarEnd): readonly Problem[] {
  if (!nativeSidecar || !waitBeforeExitSeconds) return [];
  return [
    INJECTION_FINDINGS.nativeSidecarWaits(
      { seconds: String(waitBeforeExitSeconds) },
      { about: 'values.proxy.waitBeforeExitSeconds' },
    ),
  ];
}
