import { X509Certificate } from 'node:crypto';

/** The PEM blocks of certificates in a text; whatever else it holds is left out. */
export function pemCertificates(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
}

/** A certificate in PEM; undefined where it is none. */
export function readCertificate(block: string): X509Certificate | undefined {
  try {
    return new X509Certificate(block);
  } catch {
    return undefined;
  }
}

/** The certificates in a text that can be read. */
export function readCertificates(pem: string): readonly X509Certificate[] {
  return pemCertificates(pem).flatMap((block) => readCertificate(block) ?? []);
}

/** The subject or the issuer of a certificate in one line. */
export function oneLine(name: string): string {
  return name.split('\n').join(', ');
}
