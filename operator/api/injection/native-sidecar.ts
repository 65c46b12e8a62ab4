import type { Problem } from '../kubernetes/problem';
import type { Value } from '../kubernetes/values-merge';
import { violationOf } from '../kubernetes/violation';

/** The values that decide about the end of a proxy. */
export interface SidecarEnd {
  readonly nativeSidecar?: Value;
  readonly waitBeforeExitSeconds?: Value;
}

/** Checks the end of proxies by what charts and injectors refuse that know no native sidecar which waits. */
export function checkSidecarWait({ nativeSidecar, waitBeforeExitSeconds }: SidecarEnd): readonly Problem[] {
  if (!nativeSidecar || !waitBeforeExitSeconds) return [];
  return [
    {
      code: 'native-sidecar-waits',
      violates: violationOf('value', 'proxy.waitBeforeExitSeconds'),
      about: 'values.proxy.waitBeforeExitSeconds',
      what: `values.proxy.waitBeforeExitSeconds is ${waitBeforeExitSeconds}, but proxy.nativeSidecar is true`,
      why: 'A native sidecar ends after all other containers, so this release refuses to let it wait: Helm fails, and the injector does for each pod',
      fix: 'remove proxy.waitBeforeExitSeconds, or set proxy.nativeSidecar to false',
    },
  ];
}
