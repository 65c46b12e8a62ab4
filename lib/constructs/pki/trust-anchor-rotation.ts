import type { Problem } from '../../kubernetes/findings/problem';
import type { Warning } from '../../kubernetes/findings/warning';
import { type CertManagerVersion, certManagerRelease } from '../../linkerd/releases/cert-manager';

/**
 * The one who renews a trust anchor that cert-manager made.
 *
 * - `operator`: the operator, in time and without a restart; needs a ReconcilerOperator in the same cluster.
 * - `manual`: nobody but an administrator, whom alerts remind in time; cert-manager 1.21 or later.
 * - `automatic-unsafe`: cert-manager, when it is due. Whoever does not restart all proxies by the time at which the
 *   identity issuer is renewed has no working mesh any more.
 */
export type AnchorRotation = 'operator' | 'manual' | 'automatic-unsafe';

const ROTATIONS: readonly AnchorRotation[] = ['operator', 'manual', 'automatic-unsafe'];

const OUTAGE =
  'Proxies learn of anchors only when they start: unless all are restarted between the renewal of the anchor and the next renewal of the identity issuer, the identity controller rejects its own new issuer, and the mesh stops when the old one expires';

/**
 * Returns the rotation of an anchor of which nobody says it, and which no operator rotates; undefined where cert-manager
 * cannot be kept from renewing it.
 */
export function usualRotation(version: CertManagerVersion): 'manual' | undefined {
  return certManagerRelease(version).renewalPolicy ? 'manual' : undefined;
}

/** Refuses an anchor that would be renewed behind everybody's back, or could not be kept from it. */
export function checkRotation(rotation: AnchorRotation | undefined, version: CertManagerVersion): readonly Problem[] {
  const canDisable = certManagerRelease(version).renewalPolicy;
  if (rotation === undefined) {
    return [
      {
        code: 'anchor-rotation-undecided',
        what: 'trustAnchor.rotation is not set, so that cert-manager would renew the trust anchor by itself',
        why: OUTAGE,
        fix: canDisable
          ? "set trustAnchor.rotation to 'manual', which disables the renewal and adds alerts, or to 'automatic-unsafe' if something else restarts all proxies in time"
          : `cert-manager ${version} cannot disable the renewal: have an operator rotate it (ReconcilerOperator), take v1.21.1 and set trustAnchor.rotation to 'manual', or set it to 'automatic-unsafe' if something else restarts all proxies in time`,
      },
    ];
  }
  if (!ROTATIONS.includes(rotation)) {
    return [
      {
        code: 'anchor-rotation-unknown',
        what: `trustAnchor.rotation is ${JSON.stringify(rotation)}`,
        why: `There is no such rotation, and cert-manager would renew the trust anchor by itself. ${OUTAGE}`,
        fix: `set it to one of ${ROTATIONS.map((known) => `'${known}'`).join(', ')}`,
      },
    ];
  }
  if (rotation !== 'manual' || canDisable) return [];
  return [
    {
      code: 'anchor-rotation-unsupported',
      what: `trustAnchor.rotation is 'manual' with cert-manager ${version}`,
      why: 'Certificates have renewal.policy since cert-manager 1.21; without it cert-manager renews the anchor by itself',
      fix: "have an operator rotate it (rotation 'operator'), take cert-manager v1.21.1, or set trustAnchor.rotation to 'automatic-unsafe'",
    },
  ];
}

/** The risk that stays with an anchor that renews by itself. */
export function automaticRotationWarning(): Warning {
  return {
    code: 'anchor-renews-by-itself',
    what: "trustAnchor.rotation is 'automatic-unsafe'",
    why: OUTAGE,
    fix: "have the operator rotate it, which works with each cert-manager: add a ReconcilerOperator and leave rotation out; or set rotation to 'manual' with cert-manager v1.21.1. Until then restart all meshed workloads when the alert LinkerdTrustAnchorRenewed fires",
  };
}
