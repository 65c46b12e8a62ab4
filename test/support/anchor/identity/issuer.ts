import { createPrivateKey, createPublicKey } from 'node:crypto';
import { distinguishedName } from '../../cluster/certificates';
import * as der from '../../cluster/der';
import { pem } from '../../cluster/pem';
import { signCertificate } from '../../cluster/sign-certificate';
import { extendedKeyUsage, extension, keyUsage, SUBJECT_ALT_NAME } from '../../cluster/x509-extensions';
import { readCertificates, verifyChain } from '../trust';
import type { Files } from '../volumes';

/** An issuer that identity has verified. */
export interface LoadedIssuer {
  /** The issuer and the certificates after it in `tls.crt`, as PEM. */
  readonly chain: string;
  readonly key: string;
  readonly notAfter: number;
}

/** The validity of leaf certificates. */
export interface Validity {
  readonly lifetimeMs: number;
  /** Added before the start and after the end. */
  readonly clockSkewMs: number;
}

/**
 * Reads the issuer's files as identity does (linkerd2, pkg/identity/service.go, loadCredentials). Certificate and key
 * must match, the chain must verify against the roots by Go's rules, and the issuer must be a CA.
 * @throws Error with the message of its Event
 */
export function loadIssuer(files: Files, roots: string): LoadedIssuer {
  const chain = files?.['tls.crt'] ?? files?.['crt.pem'];
  const key = files?.['tls.key'] ?? files?.['key.pem'];
  const [issuer] = chain === undefined ? [] : readCertificates(chain);
  if (chain === undefined || key === undefined || issuer === undefined) {
    throw new Error('failed to read CA from disk: No certificates found');
  }
  const publicKey = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'der' });
  if (!publicKey.equals(issuer.publicKey)) {
    throw new Error('failed to read CA from disk: tls: Public and private key do not match');
  }
  checkIssuer(chain, roots);
  if (!issuer.ca) throw new Error('failed to verify issuer certificate: it must be an intermediate-CA, but it is not');
  return { chain, key, notAfter: issuer.notAfter };
}

/** The domain of an issuer's mesh, from its common name: `linkerd.cluster.local`, which begins with the namespace. */
export function meshOf({ chain }: LoadedIssuer): string {
  const subject = readCertificates(chain)[0]?.certificate.subject ?? '';
  return /^CN=identity\.(.*)$/m.exec(subject)?.[1] ?? 'linkerd.cluster.local';
}

/** @throws if the issuer's chain does not lead to a root at this time */
export function checkIssuer(chain: string, roots: string): void {
  const refusal = verifyChain(chain, roots, { as: 'go' });
  if (refusal !== undefined) {
    throw new Error(`failed to verify issuer credentials for 'identity' with trust anchors: x509: ${refusal}`);
  }
}

/**
 * Issues a proxy's certificate for a name, and appends the issuer's chain (pkg/tls/ca.go). The certificate ends no
 * later than any certificate of the chain.
 * @param publicKey SubjectPublicKeyInfo
 */
export function issueLeaf(issuer: LoadedIssuer, name: string, publicKey: Buffer, validity: Validity): string {
  const [signer, ...above] = readCertificates(issuer.chain);
  if (signer === undefined) throw new Error('the issuer has no certificate');
  const now = Date.now();
  const end = Math.min(
    now + validity.lifetimeMs + validity.clockSkewMs,
    ...[signer, ...above].map((one) => one.notAfter),
  );
  const names = der.sequence(der.implicit(2, Buffer.from(name, 'ascii')));
  const leaf = signCertificate(
    {
      subject: distinguishedName({ commonName: name }),
      publicKey,
      ca: false,
      notBefore: new Date(now - validity.clockSkewMs),
      notAfter: new Date(end),
      extensions: [
        keyUsage(['digital signature', 'key encipherment']),
        extendedKeyUsage(['server auth', 'client auth']),
        extension(SUBJECT_ALT_NAME, names),
      ],
    },
    { cert: signer.certificate.raw, key: issuer.key },
  );
  return (
    pem('CERTIFICATE', leaf) + [signer, ...above].map(({ certificate }) => pem('CERTIFICATE', certificate.raw)).join('')
  );
}
