import type { Problem } from '../../kubernetes/findings/problem';
import { type Value, type Values, valueAt } from '../../kubernetes/values';
import { CONTROL_PLANE_FINDINGS } from './findings';

/** Values that linkerd2-cni and linkerd-control-plane each have: key there, path here. */
const SHARED: readonly (readonly [cni: string, controlPlane: string])[] = [
  ['inboundProxyPort', 'proxy.ports.inbound'],
  ['outboundProxyPort', 'proxy.ports.outbound'],
  ['proxyAdminPort', 'proxy.ports.admin'],
  ['proxyControlPort', 'proxy.ports.control'],
  ['proxyUID', 'proxy.uid'],
  ['proxyGID', 'proxy.gid'],
  ['disableIPv6', 'disableIPv6'],
];

/** Reports where the CNI plugin would set up pods for other proxies than the injector gives them. */
export function checkCniAgreement(controlPlane: Values, cni: Values): readonly Problem[] {
  return SHARED.flatMap(([key, path]) => {
    const there = cni[key];
    const here = valueAt(controlPlane, path);
    return disagree(there, here) ? [problem(key, there, path, here)] : [];
  });
}

function disagree(one: Value | undefined, other: Value | undefined): boolean {
  // A text in the place of a number is reported with the value itself.
  return typeof one === typeof other && one !== undefined && one !== other;
}

function problem(key: string, there: Value | undefined, path: string, here: Value | undefined): Problem {
  return CONTROL_PLANE_FINDINGS.cniMismatchValue(
    { path, here: String(here), key, there: String(there) },
    { about: `values.${path}` },
  );
}
