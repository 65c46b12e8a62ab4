import { IDENTITY_ISSUER } from '#anchor/trust-anchor';
import type { Problem } from '#base/findings/problem';
import { goDurationMs } from '#base/go-duration';
import { textIn } from '#base/select-fields';
import { HOUR, SECOND } from '#base/time-units';
import { type Values, valueAt } from '#base/values';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { durationText } from '#kubernetes/options/duration-like';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import { certificateWindow, proposedTexts, proposeWindow } from '../certificate-chains';
import { isCertificate } from '../certificate-checks';

/** How long the certificates of proxies are valid, in milliseconds. */
export interface LeafLifetime {
  /** Lifetime of the certificates that Linkerd's identity controller issues to proxies. */
  readonly issuanceLifetime: number;
  /** The time that the identity controller adds to both ends of that lifetime. */
  readonly clockSkewAllowance: number;
}

/** The defaults of the control plane's chart, in all releases. */
export const LEAF_LIFETIME: LeafLifetime = { issuanceLifetime: 24 * HOUR, clockSkewAllowance: 20 * SECOND };

/** Returns how long after its issuance a proxy's certificate ends (linkerd2, pkg/tls/ca.go, Validity.Window). */
export function leafReach({ issuanceLifetime, clockSkewAllowance }: LeafLifetime): number {
  return issuanceLifetime + clockSkewAllowance;
}

/** Whether an object is the Certificate of Linkerd's identity controller, which signs those of all proxies. */
export function isIdentityIssuer(object: KubernetesObject): boolean {
  return isCertificate(object) && textIn(object.spec, 'secretName') === IDENTITY_ISSUER;
}

/**
 * Reports an identity issuer that, just before its own renewal, signs certificates of proxies that outlive it.
 *
 * @param values - those of the control plane
 */
export function checkIdentityIssuer(object: KubernetesObject, values: Values): readonly Problem[] {
  const window = isIdentityIssuer(object) ? certificateWindow(object) : undefined;
  const lifetime = leafLifetime(values);
  if (window === undefined || lifetime === undefined || window.renewBefore >= leafReach(lifetime)) return [];
  return [
    LINKERD_FINDINGS.certificateOutlivesIssuerProxies({
      issuer: describeObject(object),
      renewBefore: durationText(window.renewBefore),
      issuanceLifetime: durationText(lifetime.issuanceLifetime),
      clockSkewAllowance: durationText(lifetime.clockSkewAllowance),
      ...proposedTexts(proposeWindow(window, leafReach(lifetime), HOUR)),
    }),
  ];
}

/** Returns the lifetime in the values; undefined if Go cannot read their durations. */
function leafLifetime(values: Values): LeafLifetime | undefined {
  const read = (key: keyof LeafLifetime) => {
    const value = valueAt(values, `identity.issuer.${key}`);
    if (value === undefined || value === null) return LEAF_LIFETIME[key];
    return typeof value === 'string' ? goDurationMs(value) : undefined;
  };
  const [issuanceLifetime, clockSkewAllowance] = [read('issuanceLifetime'), read('clockSkewAllowance')];
  if (issuanceLifetime === undefined || clockSkewAllowance === undefined) return undefined;
  return { issuanceLifetime, clockSkewAllowance };
}
