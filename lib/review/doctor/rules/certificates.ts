import { IDENTITY_ISSUER } from '#anchor/trust-anchor';
import type { ObservedCertificate, ObservedIssuer } from '../../live/certificates';
import { isWhole, itemsOf } from '../../live/observation';
import { timeText } from '../../status/finding';
import { certificatesIn, endOf, issuedChain } from '../../status/x509';
import { type DoctorInput, doctorFact, type Fact, type Subject, subjects } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { idOf, isCaOf, meshCertificates } from '../mesh';

/** Checks why Certificates of the mesh are not issued or renewed: their issuers, CAs and requests. */
export function checkCertificates(input: DoctorInput): readonly Fact[] {
  const certificates = certificatesOf(input);
  return [
    ...checkIssuers(certificates, input),
    ...certificates.flatMap((one) => [...checkRequests(one, input), ...checkStart(one, input)]),
    ...checkInstalled(certificates, input),
  ];
}

export function certificatesOf({ seen, mesh }: Pick<DoctorInput, 'seen' | 'mesh'>): readonly ObservedCertificate[] {
  return meshCertificates(seen, new Set(mesh.intent.meshNamespaces));
}

/** Returns the subjects that cert-manager needs to issue a Certificate. */
export function issuanceNeeds(
  certificate: Pick<ObservedCertificate, 'namespace' | 'name' | 'issuer'>,
  { mesh }: Pick<DoctorInput, 'mesh'>,
): readonly Subject[] {
  return subjects({
    renewals: 'mesh',
    workload: mesh.certManager,
    leader: mesh.certManager,
    issuer: certificate.issuer,
    request: idOf(certificate),
    namespace: certificate.namespace,
  });
}

function checkIssuers(certificates: readonly ObservedCertificate[], input: DoctorInput): readonly Fact[] {
  const { seen } = input;
  if (seen.issuers.is !== 'read') return [];
  const byName = new Map(seen.issuers.items.map((one) => [one.issuer, one]));
  const users = new Map(certificates.map((one) => [one.issuer, one]));
  return [...users].flatMap(([issuer, certificate]) => {
    if (issuer === undefined) return [];
    const found = byName.get(issuer);
    if (found !== undefined) return checkReady(found, certificates, input);
    if (!isWhole(seen.issuers)) return [];
    const problem = DOCTOR_FINDINGS.issuerMissing({ issuer, certificate: idOf(certificate) });
    const needs = { anchor: 'mesh', application: issuer.split(/[ /]/)[1], kinds: 'cert-manager' };
    return doctorFact(problem, { breaks: { issuer }, needs });
  });
}

function checkReady(
  { issuer, ready, secretName }: ObservedIssuer,
  certificates: readonly ObservedCertificate[],
  { mesh, kubectl }: DoctorInput,
): readonly Fact[] {
  if (ready?.status === 'True') return [];
  const [kind = '', place = ''] = issuer.split(' ');
  const [namespace = '', name = ''] = place.split('/');
  const target = kind === 'Issuer' ? `issuer -n ${namespace} ${name}` : `${kind.toLowerCase()} ${place}`;
  const message = ready?.message ?? 'it has no status';
  const cas = certificates.filter((one) => isCaOf(one, { issuer, ...(secretName !== undefined && { secretName }) }));
  const { certManager: workload } = mesh;
  return [
    doctorFact(DOCTOR_FINDINGS.issuerNotReady({ issuer, message, kubectl, kind: target }), {
      since: ready?.since,
      breaks: { issuer },
      needs: { certificate: cas.map(idOf), workload, leader: workload, anchor: 'mesh' },
    }),
  ];
}

/** Reports a refused request if no certificate was issued after it. */
function checkRequests(certificate: ObservedCertificate, { seen, kubectl }: DoctorInput): readonly Fact[] {
  const { namespace, revision = 0, issuer } = certificate;
  const refused = (itemsOf(seen.requests) ?? [])
    .filter((one) => one.namespace === namespace && one.certificate === certificate.name && one.revision > revision)
    .toSorted((a, b) => b.revision - a.revision)[0];
  if (refused?.refusal === undefined) return [];
  const { reason, message, since } = refused.refusal;
  // The time of the failure in the Certificate's status delays the next request, also if this one is deleted.
  const cmctl = kubectl.replace(/^kubectl/, 'cmctl');
  const parameters = { certificate: idOf(certificate), reason, message, cmctl, namespace, name: certificate.name };
  const parts = { since, breaks: { request: idOf(certificate) }, needs: { issuer } };
  return [doctorFact(DOCTOR_FINDINGS.requestRefused(parameters), parts)];
}

function checkStart(certificate: ObservedCertificate, { seen, now }: DoctorInput): readonly Fact[] {
  const [leaf] = issuedChain(certificate, itemsOf(seen.requests) ?? []);
  const start = leaf === undefined ? 0 : Date.parse(leaf.validFrom);
  if (!(start > now)) return [];
  const problem = DOCTOR_FINDINGS.certificateNotValidYet({ certificate: idOf(certificate), start: timeText(start) });
  const evidence = [`the time on this machine is ${timeText(now)}`];
  return [doctorFact(problem, { breaks: { certificate: idOf(certificate) }, evidence })];
}

/** Checks the issuer from the installation of Linkerd if no Certificate renews it. Its Secret may be newer. */
function checkInstalled(certificates: readonly ObservedCertificate[], input: DoctorInput): readonly Fact[] {
  const { seen, mesh, now } = input;
  const { namespace } = mesh;
  const isRenewed = certificates.some((one) => one.namespace === namespace && one.secretName === IDENTITY_ISSUER);
  const pem = itemsOf(seen.installed)?.find((one) => one.namespace === namespace)?.issuer ?? '';
  const [issuer] = certificatesIn(pem);
  if (!isWhole(seen.certificates) || isRenewed || issuer === undefined || endOf(issuer) > now) return [];
  const end = endOf(issuer);
  const breaks = lacksIdentity(input) ? { certificate: `${namespace}/${IDENTITY_ISSUER}` } : {};
  const evidence = [`the certificate in the ConfigMap ${namespace}/linkerd-config`];
  const problem = DOCTOR_FINDINGS.installedIssuerExpired({ end: timeText(end) });
  return [doctorFact(problem, { since: end, breaks, evidence })];
}

function lacksIdentity({ seen }: DoctorInput): boolean {
  return (itemsOf(seen.pods) ?? []).some(({ proxy, isOver }) => proxy?.isReady === false && !isOver);
}
