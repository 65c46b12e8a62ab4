import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import { INJECTION_FINDINGS } from './findings';
import { shownText } from './text-forms';

/** Checks the release in values. The control plane's own components keep their release, whatever it is. */
export function checkRelease({ linkerdVersion }: Values, installed: Values): readonly Problem[] {
  const release = installed.linkerdVersion;
  if (typeof linkerdVersion !== 'string' || typeof release !== 'string' || linkerdVersion === release) return [];
  return [
    INJECTION_FINDINGS.releaseInConfig(
      { version: shownText(linkerdVersion), release },
      { about: 'values.linkerdVersion' },
    ),
  ];
}
