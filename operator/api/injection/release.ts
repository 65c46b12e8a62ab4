import type { Problem } from '../kubernetes/problem';
import type { Values } from '../kubernetes/values-merge';
import { shownText } from './text-forms';

/** Checks the release that values ask for. The control plane's own components keep theirs, whatever values say. */
export function checkRelease({ linkerdVersion }: Values, installed: Values): readonly Problem[] {
  const release = installed.linkerdVersion;
  if (typeof linkerdVersion !== 'string' || typeof release !== 'string' || linkerdVersion === release) return [];
  return [
    {
      code: 'releases-mixed',
      about: 'values.linkerdVersion',
      what: `values.linkerdVersion is ${shownText(linkerdVersion)}, but the control plane is ${release}`,
      why: 'Pods would get proxies of a release that the control plane is not, or of one that there is not',
      fix: 'leave it out of the LinkerdConfig; proxies of another version have theirs in proxy.image.version',
    },
  ];
}
