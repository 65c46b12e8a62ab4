import * as der from './der';
import { BASIC_CONSTRAINTS, extensionValue, SUBJECT_KEY_IDENTIFIER } from './x509-extensions';

/** The parts of a certificate that node:crypto does not return, as DER. */
export interface CertificateParts {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly keyIdentifier?: Buffer;
  readonly ca: boolean;
  /** The number of CAs that may follow it in a chain, if that is limited. */
  readonly pathLength?: number;
}

/** Reads an X.509 v3 certificate in DER. @throws if the bytes are not a certificate */
export function readCertificate(certificate: Buffer): CertificateParts {
  const fields = der.children(der.elementAt(certificate, 0));
  const [, , , issuer, , subject, publicKey] = fields;
  if (issuer === undefined || subject === undefined || publicKey === undefined) {
    throw new Error('Expected an X.509 v3 certificate.');
  }
  const list = fields.find((field) => field[0] === 0xa3);
  const extensions = list === undefined ? [] : der.children(der.elementAt(list, 0));
  const identifier = extensionValue(extensions, SUBJECT_KEY_IDENTIFIER);
  const constraints = extensionValue(extensions, BASIC_CONSTRAINTS);
  const [ca, limit] = constraints === undefined ? [] : der.children(constraints);
  return {
    subject,
    issuer,
    publicKey,
    ...(identifier && { keyIdentifier: der.contentOf(identifier) }),
    ca: ca !== undefined && ca[0] === 0x01 && der.contentOf(ca)[0] !== 0,
    ...(limit && { pathLength: der.contentOf(limit).readUIntBE(0, der.contentOf(limit).length) }),
  };
}
