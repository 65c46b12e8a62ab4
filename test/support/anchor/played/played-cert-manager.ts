import { X509Certificate } from 'node:crypto';
import { SELF_SIGNED_ISSUER } from '#anchor/trust-anchor';
import { goDurationMs } from '#base/go-duration';
import { issueCertificate } from '../../cluster/certificates';
import { pem } from '../../cluster/pem';
import { signCertificate } from '../../cluster/sign-certificate';
import { basicConstraints, extension, keyUsage, NAME_CONSTRAINTS } from '../../cluster/x509-extensions';
import { createSigningRequest, readSigningRequest } from '../cert-manager/signing-request';
import type { AnyObject, MemoryApi } from './memory-api';

const PLACE = 'cert-manager';

/** Does at once what cert-manager's controllers would do: issues where a Secret does not match its Certificate. */
export function settleCertificates(api: MemoryApi, now: number): void {
  for (const certificate of api.list('certificates')) settleCertificate(api, certificate, now);
  const uids = new Set(api.list('certificates').map(({ metadata }) => metadata.uid));
  for (const request of api.list('certificaterequests')) {
    const [owner] = request.metadata.ownerReferences ?? [];
    const { namespace, name } = request.metadata;
    if (owner === undefined) signRequest(api, request, now);
    else if (!uids.has(owner.uid)) api.remove('certificaterequests', `${namespace}/${name}`);
  }
}

function settleCertificate(api: MemoryApi, certificate: AnyObject, now: number): void {
  const { metadata, spec, status = {} } = certificate;
  const secret = api.find('secrets', `${metadata.namespace}/${spec.secretName}`);
  const asked = JSON.stringify([spec.issuerRef.name, spec.commonName, spec.duration]);
  const isAsked = status.conditions?.some((it: AnyObject) => it.type === 'Issuing' && it.status === 'True');
  if (isAsked || secret?.asked !== asked) {
    const isElsewhere = spec.issuerRef.kind === 'TrustAnchor';
    const signer = isElsewhere ? undefined : signerOf(api, certificate);
    if (isElsewhere) awaitAnswer(api, certificate, { secret, asked });
    else if (signer !== undefined) issue(api, certificate, { secret, signer, asked, now });
    return;
  }
  label(api, certificate, secret);
  if (status.revision === undefined) {
    // The Certificate was created again, and its Secret had stayed.
    const [own] = blocks(secret.tls.cert);
    say(api, certificate, { revision: 1, ...times(own as string) });
  } else say(api, certificate, status);
}

/** Signs a request without a Certificate, once. */
function signRequest(api: MemoryApi, request: AnyObject, now: number): void {
  const signer = signerOf(api, request);
  if (request.status?.certificate !== undefined || signer === undefined || signer === 'self') return;
  const read = readSigningRequest(Buffer.from(request.spec.request, 'base64').toString());
  const template = {
    subject: read.subject,
    publicKey: read.publicKey,
    ca: true,
    notBefore: new Date(now),
    notAfter: new Date(now + (goDurationMs(request.spec.duration) ?? 0)),
    extensions: [
      keyUsage(['cert sign', 'crl sign']),
      basicConstraints(true),
      ...(read.constraints ? [extension(NAME_CONSTRAINTS, read.constraints, true)] : []),
    ],
  };
  const by = { cert: parsedCertificate(signer.chain[0] as string).raw, key: signer.key };
  const cert = pem('CERTIFICATE', signCertificate(template, by));
  const status = { certificate: Buffer.from(cert).toString('base64'), conditions: [{ type: 'Ready', status: 'True' }] };
  api.put('certificaterequests', { metadata: request.metadata, status });
}

interface Signer {
  readonly chain: readonly string[];
  readonly key: string;
}

/** The signer of a Certificate or request; `undefined` while its issuer or Secret is missing. */
function signerOf(api: MemoryApi, { spec }: AnyObject): Signer | 'self' | undefined {
  const { name, kind = 'Issuer' } = spec.issuerRef;
  if (name === SELF_SIGNED_ISSUER) return 'self';
  const issuer = api.find(
    kind === 'Issuer' ? 'issuers' : 'clusterissuers',
    kind === 'Issuer' ? `${PLACE}/${name}` : name,
  );
  const held = issuer && api.find('secrets', `${PLACE}/${issuer.spec.ca.secretName}`);
  return held && { chain: blocks(held.tls.cert), key: held.tls.key };
}

/** Creates a request that an external issuer signs, and stores the signed certificate in the Secret. */
function awaitAnswer(
  api: MemoryApi,
  certificate: AnyObject,
  { secret, asked }: Pick<Issuing, 'secret' | 'asked'>,
): void {
  const { metadata, spec, status } = certificate;
  const revision = (status?.revision ?? 0) + 1;
  const place = requestPlace(certificate, revision);
  const made = api.find('certificaterequests', `${place.metadata.namespace}/${place.metadata.name}`);
  // A new key replaces a lost one, and waits in the request until it is signed.
  const key: string = secret?.tls.key ?? made?.pendingKey ?? issueCertificate({ commonName: spec.commonName }).key;
  const isSame = made?.spec?.issuerRef?.kind === 'TrustAnchor';
  if (!isSame) {
    const request = Buffer.from(createSigningRequest(spec, key)).toString('base64');
    const asking = { spec: { issuerRef: spec.issuerRef, request }, status: {}, pendingKey: key };
    api.put('certificaterequests', { ...place, ...asking });
    return;
  }
  if (made.status?.conditions?.[0]?.status !== 'True') return;
  const cert = Buffer.from(made.status.certificate, 'base64').toString();
  const { name, namespace } = { name: spec.secretName, namespace: metadata.namespace };
  label(api, certificate, api.put('secrets', { metadata: { name, namespace }, tls: { cert, key }, asked }));
  say(api, certificate, { revision, ...times(blocks(cert)[0] as string) });
}

/** The metadata of a Certificate's request for a revision. */
function requestPlace({ metadata }: AnyObject, revision: number): AnyObject {
  const owner = { apiVersion: 'cert-manager.io/v1', kind: 'Certificate', name: metadata.name, uid: metadata.uid };
  return {
    metadata: {
      name: `${metadata.name}-r${revision}`,
      namespace: metadata.namespace,
      annotations: {
        'cert-manager.io/certificate-name': metadata.name,
        'cert-manager.io/certificate-revision': `${revision}`,
      },
      ownerReferences: [{ ...owner, uid: `${metadata.uid}`, controller: true }],
    },
  } as AnyObject;
}

interface Issuing {
  readonly secret: AnyObject | undefined;
  readonly signer: Signer | 'self';
  readonly asked: string;
  readonly now: number;
}

function issue(api: MemoryApi, certificate: AnyObject, { secret, signer, asked, now }: Issuing): void {
  const { metadata, spec, status } = certificate;
  const keeps = spec.privateKey?.rotationPolicy === 'Never' ? secret?.tls.key : undefined;
  const [root] = signer === 'self' ? [] : signer.chain;
  const { cert, key } = issueCertificate({
    commonName: spec.commonName,
    ca: true,
    notBefore: new Date(now),
    notAfter: new Date(now + (goDurationMs(spec.duration) ?? 0)),
    ...(keeps !== undefined && { key: keeps }),
    ...(signer !== 'self' && { issuer: { cert: root as string, key: signer.key } }),
  });
  const above = signer === 'self' ? [] : signer.chain.filter((pem) => !isSelfSigned(pem));
  const revision = (status?.revision ?? 0) + 1;
  for (const old of api.list('certificaterequests', metadata.namespace)) {
    const [of] = old.metadata.ownerReferences ?? [];
    if (of?.uid === metadata.uid) api.remove('certificaterequests', `${metadata.namespace}/${old.metadata.name}`);
  }
  const chain = [cert, ...above].join('');
  api.put('certificaterequests', {
    ...requestPlace(certificate, revision),
    status: {
      certificate: Buffer.from(chain).toString('base64'),
      ca: Buffer.from(signer === 'self' ? cert : (signer.chain.at(-1) ?? '')).toString('base64'),
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  });
  const made = { metadata: { name: spec.secretName, namespace: metadata.namespace }, tls: { cert: chain, key }, asked };
  label(api, certificate, api.put('secrets', made));
  say(api, certificate, { revision, ...times(cert) });
}

function label(api: MemoryApi, { spec, metadata }: AnyObject, secret: AnyObject): void {
  const { labels: _, ...rest } = secret.metadata;
  api.remove('secrets', `${metadata.namespace}/${rest.name}`);
  api.put('secrets', { ...secret, metadata: { ...rest, labels: { ...spec.secretTemplate?.labels } } });
}

function say(api: MemoryApi, { metadata }: AnyObject, status: object): void {
  const { generation } = api.find('certificates', `${metadata.namespace}/${metadata.name}`)?.metadata ?? {};
  const ready = { type: 'Ready', status: 'True', observedGeneration: generation };
  const { name, namespace } = metadata;
  api.put('certificates', { metadata: { name, namespace }, status: { ...status, conditions: [ready] } });
}

function times(pem: string): object {
  const { validFromDate, validToDate } = parsedCertificate(pem);
  return { notBefore: validFromDate.toISOString(), notAfter: validToDate.toISOString() };
}

/** The PEM blocks of a text. */
export function blocks(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----\n?/g) ?? [];
}

const parsed = new Map<string, X509Certificate>();

/** Parses a PEM block, once: meshes that begin in the same state share most of their certificates. */
export function parsedCertificate(pem: string): X509Certificate {
  const certificate = parsed.get(pem) ?? new X509Certificate(pem);
  parsed.set(pem, certificate);
  return certificate;
}

function isSelfSigned(pem: string): boolean {
  const certificate = parsedCertificate(pem);
  return certificate.checkIssued(certificate);
}
