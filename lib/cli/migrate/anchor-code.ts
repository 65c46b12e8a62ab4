import { oneLine, readCertificate } from '#base/certificates';
import type { Problem } from '#base/findings/problem';
import { type AnchorCertificate, parseAnchors } from '../../constructs/pki/trust-roots';
import type { Reference } from '../../kubernetes/references';
import { CLI_FINDINGS } from '../findings';
import { Call } from './code';
import type { MigrationRequest } from './migration';
import type { RemainingValues } from './remaining-values';

/** The anchor that a program sets for its PKI, so that running proxies keep trusting each other. */
export interface AnchorCode {
  /** Absent if cert-manager issues a new one. */
  readonly trustAnchor?: Call;
  /** A remark for the user to act on. */
  readonly remark?: string;
  /** Objects that must already be in the cluster. */
  readonly external?: readonly Reference[];
  readonly warnings: readonly Problem[];
}

/** The Secret with cert-manager's anchor in Linkerd's guide. */
const ANCHOR_SECRET = 'linkerd-trust-anchor';

const PRESENT_ANCHOR =
  "kubectl get configmap linkerd-identity-trust-roots -n linkerd -o jsonpath='{.data.ca-bundle\\.crt}'";

const MISSING = CLI_FINDINGS.anchorNotMigratedMissing({ command: PRESENT_ANCHOR });

const UNREADABLE = CLI_FINDINGS.anchorNotMigratedUnreadable({ command: PRESENT_ANCHOR });

/** Takes the values that determine a mesh's anchor. With `newAnchor` no mesh runs, and cert-manager may issue one. */
export function takeAnchor(
  remaining: RemainingValues,
  { newAnchor = false, now }: Pick<MigrationRequest, 'newAnchor' | 'now'>,
): AnchorCode {
  const isExternal = remaining.take('identity.externalCA') === true;
  const certificates = remaining.takeText('identityTrustAnchorsPEM');
  if (isExternal) return fromSecret();
  if (certificates === undefined) return newAnchor ? { warnings: [] } : toFillIn(MISSING);
  const { anchors, problems } = parseAnchors('identityTrustAnchorsPEM', certificates);
  if (problems.length === 0 && anchors.length > 0) return fromPem(anchors, now);
  return newAnchor ? { warnings: [UNREADABLE] } : toFillIn(UNREADABLE);
}

/** Synth refuses it, until the user sets the mesh's anchor. */
function toFillIn(warning: Problem): AnchorCode {
  return {
    external: [{ kind: 'ClusterIssuer', name: ANCHOR_SECRET }],
    trustAnchor: new Call('TrustAnchor.fromPem', {
      certificates: "TODO: the PEM of the mesh's anchor",
      issuer: { name: ANCHOR_SECRET },
    }),
    remark: `TODO: certificates is the PEM of the mesh's trust anchor: ${PRESENT_ANCHOR}; issuer is the ClusterIssuer that signs with its key. If cert-manager made the anchor, TrustAnchor.fromSecret takes its Secret.`,
    warnings: [warning],
  };
}

function fromSecret(): AnchorCode {
  return {
    trustAnchor: new Call('TrustAnchor.fromSecret', { secretName: ANCHOR_SECRET }),
    remark: `The mesh's existing anchor: check the name of its Secret in cert-manager's namespace, and label that one.`,
    warnings: [CLI_FINDINGS.anchorNotMigratedExternal({ secret: ANCHOR_SECRET })],
  };
}

function fromPem(anchors: readonly AnchorCertificate[], now: Date | undefined): AnchorCode {
  const certificates = anchors.map(({ pem }) => pem).join('');
  return {
    trustAnchor: new Call('TrustAnchor.fromPem', { certificates, issuer: { name: ANCHOR_SECRET } }),
    external: [{ kind: 'ClusterIssuer', name: ANCHOR_SECRET }],
    remark:
      'The anchor that the mesh has: make the ClusterIssuer that signs with its key, or with an intermediate of it.',
    warnings: [
      CLI_FINDINGS.anchorNotMigratedIssuer({ issuer: ANCHOR_SECRET }),
      ...anchors.flatMap((anchor) => checkAnchor(anchor, now)),
    ],
  };
}

function checkAnchor({ subject, pem, notAfter }: AnchorCertificate, now: Date | undefined): readonly Problem[] {
  const certificate = readCertificate(pem);
  const issuer = certificate === undefined ? subject : oneLine(certificate.issuer);
  const isExpired = now !== undefined && notAfter <= now;
  return [
    ...(isExpired
      ? [CLI_FINDINGS.anchorNotMigratedExpired({ subject, date: notAfter.toISOString().slice(0, 10) })]
      : []),
    ...(issuer === subject ? [] : [CLI_FINDINGS.anchorNotMigratedIntermediate({ subject, issuer })]),
  ];
}
