import { ANCHOR, IDENTITY_ISSUER, TRUST_ANCHOR_NAME } from '../../../../operator/api/trust-anchor';
import { parseGoDuration } from '../../../kubernetes/go-duration';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { isMap, type Value, type Values, valueAt } from '../../../kubernetes/values';
import type { CertificateFacts, CertificateRole } from '../model';

/** cert-manager's own defaults: 90 days, of which the last third is for renewal. */
const USUAL_DURATION = 2160 * 3_600_000;

const CERT_MANAGER = /^cert-manager\.io\//;

/** Reads the certificates that cert-manager makes, each after the one that signs it. */
export function certificatesIn(objects: readonly KubernetesObject[]): readonly CertificateFacts[] {
  const ours = objects.filter(({ apiVersion }) => CERT_MANAGER.test(apiVersion));
  const certificates = ours.filter(({ kind }) => kind === 'Certificate');
  const issuers = ours.filter(({ kind }) => kind === 'Issuer' || kind === 'ClusterIssuer');
  const facts = certificates.map((certificate) => factsOf(certificate, { certificates, issuers }));
  const anchor = anchorOfOperator(objects);
  const all = anchor === undefined ? facts : [anchor, ...facts.map((one) => signedByAnchor(one, anchor.id))];
  return inOrder(all.map((one) => ({ ...one, role: roleOf(one, all) })));
}

interface Chain {
  readonly certificates: readonly KubernetesObject[];
  readonly issuers: readonly KubernetesObject[];
}

type UnsortedFacts = CertificateFacts & { readonly isCA: boolean };

function factsOf(certificate: KubernetesObject, chain: Chain): UnsortedFacts {
  const at = (path: string) => valueAt(certificate as Values, `spec.${path}`);
  const duration = milliseconds(at('duration')) ?? USUAL_DURATION;
  const signer = signerOf(certificate, chain);
  return {
    id: idOf(certificate),
    role: 'other',
    isCA: at('isCA') === true,
    ...(signer !== undefined && signer !== certificate && { signedBy: idOf(signer) }),
    duration,
    renewBefore: milliseconds(at('renewBefore')) ?? duration / 3,
    renewsItself: at('renewal.policy') !== 'Disabled',
    key: [at('privateKey.algorithm') ?? 'RSA', at('privateKey.size') ?? ''].join(' ').trim(),
  };
}

/** The CA whose Secret the issuer of a certificate signs with. */
function signerOf(certificate: KubernetesObject, { certificates, issuers }: Chain): KubernetesObject | undefined {
  const reference = valueAt(certificate as Values, 'spec.issuerRef');
  const { kind = 'Issuer', name } = isMap(reference) ? reference : {};
  const issuer = issuers.find(
    (one) =>
      one.kind === kind &&
      one.metadata.name === name &&
      (kind === 'ClusterIssuer' || one.metadata.namespace === certificate.metadata.namespace),
  );
  const secret = valueAt((issuer ?? {}) as Values, 'spec.ca.secretName');
  if (issuer === undefined || typeof secret !== 'string') return undefined;
  // Secrets of ClusterIssuers are in the namespace of cert-manager, whichever that is.
  const holders = certificates.filter((one) => valueAt(one as Values, 'spec.secretName') === secret);
  const own = holders.find(({ metadata }) => metadata.namespace === issuer.metadata.namespace);
  return kind === 'ClusterIssuer' ? holders[0] : own;
}

/** The anchor that the operator makes, which is not in the output: its policy is. */
function anchorOfOperator(objects: readonly KubernetesObject[]): UnsortedFacts | undefined {
  const policy = trustAnchorIn(objects);
  if (policy === undefined) return undefined;
  const at = (path: string) => valueAt(policy as Values, `spec.${path}`);
  const duration = milliseconds(at('duration')) ?? 87_600 * 3_600_000;
  return {
    id: `${at('certManagerNamespace') ?? 'cert-manager'}/${ANCHOR}`,
    role: 'anchor',
    isCA: true,
    duration,
    renewBefore: milliseconds(at('renewBefore')) ?? 8760 * 3_600_000,
    renewsItself: false,
    key: [at('privateKey.algorithm') ?? 'ECDSA', at('privateKey.size') ?? 256].join(' '),
  };
}

/** The policy by which the operator rotates the anchor. */
export function trustAnchorIn(objects: readonly KubernetesObject[]): KubernetesObject | undefined {
  return objects.find(
    ({ apiVersion, kind, metadata }) =>
      apiVersion.startsWith('config.linkerd.io/') && kind === 'TrustAnchor' && metadata.name === TRUST_ANCHOR_NAME,
  );
}

/** The ClusterIssuer between them is the operator's, too. */
function signedByAnchor(one: UnsortedFacts, anchor: string): UnsortedFacts {
  return nameOf(one) === IDENTITY_ISSUER ? { ...one, signedBy: anchor } : one;
}

function roleOf(one: UnsortedFacts, all: readonly UnsortedFacts[]): CertificateRole {
  const name = nameOf(one);
  if (name === IDENTITY_ISSUER) return 'identity-issuer';
  if (one.role === 'anchor') return 'anchor';
  const signed = all.filter(({ signedBy }) => signedBy === one.id);
  if (one.isCA && signed.some((other) => nameOf(other) === IDENTITY_ISSUER)) return 'anchor';
  if (one.isCA) return signed.length > 0 ? 'webhook-ca' : 'other';
  return one.signedBy === undefined ? 'other' : 'serving';
}

function nameOf({ id }: Pick<CertificateFacts, 'id'>): string {
  return id.slice(id.indexOf('/') + 1);
}

/** Each after its signer; those of one signer by name. */
function inOrder(all: readonly UnsortedFacts[]): readonly CertificateFacts[] {
  const ROLES: readonly CertificateRole[] = ['anchor', 'identity-issuer', 'webhook-ca', 'serving', 'other'];
  const sorted = all.toSorted((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role) || (a.id < b.id ? -1 : 1));
  const known = new Set(sorted.map(({ id }) => id));
  const done = new Set<string>();
  const below = (id: string | undefined): readonly UnsortedFacts[] =>
    sorted
      .filter((one) => (one.signedBy !== undefined && known.has(one.signedBy) ? one.signedBy : undefined) === id)
      .flatMap((one) => {
        // A circle of signers is nobody's certificate.
        if (done.has(one.id)) return [];
        done.add(one.id);
        return [one, ...below(one.id)];
      });
  return below(undefined).map(({ isCA: _, ...one }) => one);
}

function idOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** The duration that Go reads in a text; nothing where it refuses it. */
export function milliseconds(text: Value | undefined): number | undefined {
  return typeof text === 'string' ? parseGoDuration(text) : undefined;
}
