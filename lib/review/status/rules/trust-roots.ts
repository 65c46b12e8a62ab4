import { IDENTITY_ISSUER } from '#anchor/trust-anchor';
import { isWhole } from '../../live/observation';
import { type StatusFinding, type StatusInput, statusFinding, timeText } from '../finding';
import { STATUS_FINDINGS } from '../findings';
import { certificatesIn, endOf, issuedTo, nameOf, rootsOf, trustRootsIn } from '../x509';

/** Checks the trust roots of the mesh, and whether they signed its identity issuer. */
export function checkTrustRoots(input: StatusInput): readonly StatusFinding[] {
  const { intent, seen, now, kubectl } = input;
  const { controlPlane: namespace } = intent;
  if (seen.bundles.is !== 'read' || namespace === undefined) return [];
  const roots = trustRootsIn(namespace, seen);
  if (roots === undefined) {
    return intent.hasBundle && isWhole(seen.bundles)
      ? [statusFinding(STATUS_FINDINGS.trustRootsMissing({ namespace, kubectl }))]
      : [];
  }
  const expired = certificatesIn(roots).filter((root) => endOf(root) <= now);
  return [
    ...expired.map((root) =>
      statusFinding(
        STATUS_FINDINGS.trustRootExpired({ subject: nameOf(root.subject), end: timeText(endOf(root)), kubectl }),
        endOf(root),
      ),
    ),
    ...checkIssuer(input, roots),
  ];
}

function checkIssuer({ intent, seen, now, kubectl }: StatusInput, pem: string): readonly StatusFinding[] {
  const chain = issuedTo(`${intent.controlPlane}/${IDENTITY_ISSUER}`, seen);
  const [issuer] = chain;
  if (issuer === undefined) return [];
  const valid = certificatesIn(pem).filter((root) => endOf(root) > now);
  const trusted = rootsOf(chain, valid);
  if (trusted.length === 0) {
    return [statusFinding(STATUS_FINDINGS.issuerUntrusted({ issuer: nameOf(issuer.issuer), kubectl }))];
  }
  const last = trusted.reduce((a, b) => (endOf(a) >= endOf(b) ? a : b));
  if (endOf(last) >= endOf(issuer)) return [];
  const parameters = { subject: nameOf(last.subject), end: timeText(endOf(last)), issuerEnd: timeText(endOf(issuer)) };
  return [statusFinding(STATUS_FINDINGS.issuerOutlivesRoot(parameters))];
}
