import { oneLine, readCertificate } from '#base/certificates';
import type { Problem } from '#base/findings/problem';
import type { Reference } from '#kubernetes/objects/references';
import { durationFactory } from '#kubernetes/options/duration-like';
import { CERT_MANAGER_RELEASES } from '#linkerd/releases/cert-manager';
import { type AnchorCertificate, parseAnchors } from '../../constructs/pki/trust-roots';
import type { ValidityWindow } from '../../constructs/pki/validity';
import { CLI_FINDINGS } from '../findings';
import { Call, type Code } from './code';
import type { GivenSigner } from './folder/pki';

import type { MigrationRequest, Surroundings } from './migration';
import type { RemainingValues } from './remaining-values';

/** The trust anchor that a program sets for its PKI, so that running proxies keep trusting each other. */
export interface AnchorCode {
  /** Absent if cert-manager issues a new anchor. */
  readonly trustAnchor?: Code;
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

/** Takes the values that determine the anchor. With `newAnchor`, no mesh runs yet: cert-manager may issue an anchor. */
export function takeAnchor(
  remaining: RemainingValues,
  {
    namespace,
    newAnchor = false,
    now,
    surroundings,
  }: Pick<MigrationRequest, 'namespace' | 'newAnchor' | 'now' | 'surroundings'>,
): AnchorCode {
  const isExternal = remaining.take('identity.externalCA') === true;
  const certificates = remaining.takeText('identityTrustAnchorsPEM');
  const given = surroundings?.pki;
  const found = certificates === undefined ? anchorOf(surroundings, namespace) : undefined;
  if (found !== undefined) return found;
  if (isExternal) return fromSecret(ANCHOR_SECRET);
  if (certificates === undefined) return newAnchor ? { warnings: [] } : toFillIn(MISSING, given?.signer, namespace);
  const { anchors, problems } = parseAnchors('identityTrustAnchorsPEM', certificates);
  if (problems.length === 0 && anchors.length > 0) return fromPem(anchors, now, { signer: given?.signer, namespace });
  return newAnchor ? { warnings: [UNREADABLE] } : toFillIn(UNREADABLE, given?.signer, namespace);
}

/** Returns a placeholder, which synth refuses until the user sets the mesh's anchor. */
function toFillIn(warning: Problem, signer: GivenSigner | undefined, namespace: string | undefined): AnchorCode {
  return {
    external: externalIssuer(signer, namespace),
    trustAnchor: new Call('TrustAnchor.fromPem', {
      certificates: "TODO: the PEM of the mesh's anchor",
      issuer: issuerCode(signer),
    }),
    remark: `TODO: certificates is the PEM of the mesh's trust anchor: ${PRESENT_ANCHOR}; issuer is the ClusterIssuer that signs with its key. If cert-manager created the anchor, use TrustAnchor.fromSecret with its Secret.`,
    warnings: [warning],
  };
}

/** Returns the anchor that the certificates in a repository determine; undefined if they do not. */
function anchorOf(surroundings: Surroundings | undefined, namespace: string | undefined): AnchorCode | undefined {
  const pki = surroundings?.pki;
  const anchor = pki?.anchor;
  if (anchor?.from === 'secret') return fromSecret(anchor.secretName, anchor.key);
  if (anchor?.from === 'roots') {
    const { secretName, key } = anchor;
    return {
      trustAnchor: new Call('TrustAnchor.fromClusterIssuer', {
        ...issuerCode(pki?.signer),
        roots: { secretName, key },
      }),
      external: externalIssuer(pki?.signer, namespace),
      warnings: [CLI_FINDINGS.anchorNotMigratedExternal({ secret: secretName })],
    };
  }
  if (anchor?.from !== 'cert-manager') return undefined;
  const version = surroundings?.managers['cert-manager']?.version;
  const isOld = Object.entries(CERT_MANAGER_RELEASES).some(
    ([known, facts]) => known === version && !facts.renewalPolicy,
  );
  // An old cert-manager always renews the anchor.
  const rotation = isOld ? 'automatic-unsafe' : anchor.isManual ? 'manual' : undefined;
  return { trustAnchor: { ...validityCode(anchor.validity), rotation }, warnings: [] };
}

/** Returns the signer of the identity issuer, or else the ClusterIssuer in Linkerd's guide. */
function issuerCode(
  { name, kind, group }: GivenSigner = { name: ANCHOR_SECRET },
): Readonly<Record<string, Code | undefined>> {
  return { name, kind: kind === 'ClusterIssuer' ? undefined : kind, group: group === CERT_MANAGER ? undefined : group };
}

const CERT_MANAGER = 'cert-manager.io';

function externalIssuer(
  { name, kind = 'ClusterIssuer', group = CERT_MANAGER }: GivenSigner = { name: ANCHOR_SECRET },
  namespace = 'linkerd',
): readonly Reference[] {
  if (group !== CERT_MANAGER) return [];
  if (kind === 'Issuer') return [{ kind, namespace, name }];
  return kind === 'ClusterIssuer' ? [{ kind, name }] : [];
}

/** Returns the code of a window of a certificate. */
export function validityCode({ duration, renewBefore }: ValidityWindow): Readonly<Record<string, Code>> {
  const code = (milliseconds: number) => {
    const [count, unit] = durationFactory(milliseconds, 'hours') ?? [milliseconds, 'millis'];
    return new Call(`Duration.${unit}`, count);
  };
  return { duration: code(duration), renewBefore: code(renewBefore) };
}

function fromSecret(secretName: string, key?: string): AnchorCode {
  return {
    trustAnchor: new Call('TrustAnchor.fromSecret', { secretName, key }),
    remark: `The mesh's existing anchor: check the name of its Secret in cert-manager's namespace, and label the Secret.`,
    warnings: [CLI_FINDINGS.anchorNotMigratedExternal({ secret: secretName })],
  };
}

function fromPem(
  anchors: readonly AnchorCertificate[],
  now: Date | undefined,
  { signer, namespace }: { readonly signer: GivenSigner | undefined; readonly namespace: string | undefined },
): AnchorCode {
  const certificates = anchors.map(({ pem }) => pem).join('');
  return {
    trustAnchor: new Call('TrustAnchor.fromPem', { certificates, issuer: issuerCode(signer) }),
    external: externalIssuer(signer, namespace),
    remark:
      signer === undefined
        ? 'The anchor of the mesh: create the ClusterIssuer that signs with its key, or with the key of an intermediate.'
        : 'The anchor of the mesh, and the issuer that already signs the identity issuer.',
    warnings: [
      ...(signer === undefined ? [CLI_FINDINGS.anchorNotMigratedIssuer({ issuer: ANCHOR_SECRET })] : []),
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
