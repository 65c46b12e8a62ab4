import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { byText } from '#base/remembered';
import { alternativeNames, distinguishedName } from '../../cluster/certificates';
import * as der from '../../cluster/der';
import { pem, pemBlocks } from '../../cluster/pem';
import { signatureAlgorithm, signatureOf } from '../../cluster/sign-certificate';
import {
  extendedKeyUsage,
  extension,
  extensionValue,
  isUsage,
  keyUsage,
  NAME_CONSTRAINTS,
  nameConstraints,
  SUBJECT_ALT_NAME,
} from '../../cluster/x509-extensions';

/** The attribute with the extensions that a request asks for: RFC 2985, section 5.4.2. */
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';

/** The fields of a Certificate's spec that go into a request. */
interface RequestSpec {
  readonly commonName?: string;
  readonly subject?: { readonly organizations?: readonly string[] };
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly isCA?: boolean;
  readonly usages?: readonly string[];
  /** Critical name constraints, on DNS names and URIs. */
  readonly nameConstraints?: {
    readonly permitted?: { readonly dnsDomains?: readonly string[]; readonly uriDomains?: readonly string[] };
  };
}

/** The parts of a request that go into a certificate unchanged, as DER. */
export interface SigningRequest {
  readonly subject: Buffer;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  /** The value of the subject alternative name extension. */
  readonly alternativeNames?: Buffer;
  /** The value of the name constraints extension. */
  readonly constraints?: Buffer;
}

/** The PEM signing request that cert-manager makes for a Certificate (pkg/util/pki/csr.go, GenerateCSR). */
export function createSigningRequest(spec: RequestSpec, privateKey: string): string {
  const key = createPrivateKey(privateKey);
  const names = alternativeNames({ dnsNames: spec.dnsNames, ips: spec.ipAddresses });
  const isNameless = der.children(subjectOf(spec)).length === 0;
  const { plain, extended } = usagesOf(spec);
  const extensions = [
    ...(names.length === 0 ? [] : [extension(SUBJECT_ALT_NAME, der.sequence(...names), isNameless)]),
    ...(plain.length === 0 ? [] : [keyUsage(plain)]),
    ...(extended.length === 0 ? [] : [extendedKeyUsage(extended)]),
    ...constraintsOf(spec),
  ];
  const attribute = der.sequence(der.identifier(EXTENSION_REQUEST), der.setOf(der.sequence(...extensions)));
  const body = der.sequence(
    der.integer(Buffer.from([0])),
    subjectOf(spec),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    der.explicit(0, attribute),
  );
  const request = der.sequence(body, signatureAlgorithm(key), der.bitString(signatureOf(body, key)));
  return pem('CERTIFICATE REQUEST', request);
}

/** Reads a request, and remembers the result: each reconciliation reads it. @throws if its own key has not signed it */
export const readSigningRequest = byText((text): SigningRequest => {
  const [request] = pemBlocks(text, 'CERTIFICATE REQUEST');
  if (request === undefined) throw new Error('error decoding certificate request PEM block');
  const [body, , signature] = der.children(request);
  const [, subject, publicKey, attributes] = body === undefined ? [] : der.children(body);
  if (body === undefined || signature === undefined || subject === undefined || publicKey === undefined) {
    throw new Error('Expected a PKCS #10 certificate signing request.');
  }
  const key = createPublicKey({ key: publicKey, type: 'spki', format: 'der' });
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  if (!verify(digest, body, key, der.contentOf(signature).subarray(1))) {
    throw new Error('the signature of the certificate request is not its key’s');
  }
  const wanted = (attributes === undefined ? [] : der.children(attributes)).find((attribute) =>
    der.elementAt(attribute, 0).equals(der.identifier(EXTENSION_REQUEST)),
  );
  const extensions = wanted === undefined ? [] : der.children(der.elementAt(wanted, 1, 0));
  const names = extensionValue(extensions, SUBJECT_ALT_NAME);
  const constraints = extensionValue(extensions, NAME_CONSTRAINTS);
  return { subject, publicKey, ...(names && { alternativeNames: names }), ...(constraints && { constraints }) };
});

function constraintsOf({
  nameConstraints: { permitted: { dnsDomains = [], uriDomains = [] } = {} } = {},
}: RequestSpec): readonly Buffer[] {
  return dnsDomains.length === 0 ? [] : [nameConstraints(dnsDomains, uriDomains)];
}

/** The subject of a Certificate. Only the common name and organizations are implemented. */
export function subjectOf({ commonName, subject }: RequestSpec): Buffer {
  return commonName === undefined || commonName === ''
    ? der.sequence()
    : distinguishedName({ commonName, organizations: subject?.organizations });
}

/**
 * The usages of a certificate: those of the spec or the default ones, and `cert sign` for a CA
 * (pkg/util/pki/csr.go, KeyUsagesForCertificateOrCertificateRequest).
 * @throws for an unknown usage
 */
export function usagesOf({ usages = [], isCA = false }: Pick<RequestSpec, 'usages' | 'isCA'>) {
  const asked = usages.length > 0 ? usages : ['digital signature', 'key encipherment'];
  const all = [...new Set(isCA ? ['cert sign', ...asked] : asked)];
  for (const usage of all) if (isUsage(usage) === undefined) throw new Error(`unknown key usages: [${usage}]`);
  return {
    plain: all.filter((usage) => isUsage(usage) === 'plain'),
    extended: all.filter((usage) => isUsage(usage) === 'extended'),
  };
}
