import { IDENTITY_ISSUER } from '../../../../packages/anchor/trust-anchor';
import { type Look, type StatusFinding, statusFinding, timeText } from '../finding';
import { STATUS_FINDINGS } from '../findings';
import { isWhole, itemsOf } from '../observation';
import { certificatesIn, endOf, issuedChain, nameOf, rootsOf } from '../x509';

/** Checks the trust roots of the mesh against what signs in it. */
export function checkTrustRoots(look: Look): readonly StatusFinding[] {
  const { intent, seen, now, kubectl } = look;
  const { controlPlane: namespace } = intent;
  if (seen.bundles.is !== 'read' || namespace === undefined) return [];
  const bundle = seen.bundles.items.find((one) => one.namespace === namespace);
  if (bundle?.roots === undefined) {
    return intent.hasBundle && isWhole(seen.bundles)
      ? [statusFinding(STATUS_FINDINGS.trustRootsMissing({ namespace, kubectl }))]
      : [];
  }
  const expired = certificatesIn(bundle.roots).filter((root) => endOf(root) <= now);
  return [
    ...expired.map((root) =>
      statusFinding(
        STATUS_FINDINGS.trustRootExpired({ subject: nameOf(root.subject), end: timeText(endOf(root)), kubectl }),
        endOf(root),
      ),
    ),
    ...checkIssuer(look, bundle.roots),
  ];
}

/** Checks that the identity issuer, with its intermediates, leads to a root that lives as long as it. */
function checkIssuer({ intent, seen, now, kubectl }: Look, pem: string): readonly StatusFinding[] {
  const certificate = itemsOf(seen.certificates)?.find(
    ({ namespace, name }) => namespace === intent.controlPlane && name === IDENTITY_ISSUER,
  );
  const chain = certificate === undefined ? [] : issuedChain(certificate, itemsOf(seen.requests) ?? []);
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
