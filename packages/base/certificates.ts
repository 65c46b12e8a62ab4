import { X509Certificate } from 'node:crypto';

/**
 * Returns the PEM blocks of certificates in a string; other parts are left out. As in Go, a block without its end is
 * skipped, and the next block is read.
 */
export function pemCertificates(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
}

/** Parses a certificate in PEM; undefined if it is invalid. */
export function readCertificate(block: string): X509Certificate | undefined {
  try {
    return new X509Certificate(block);
  } catch {
    return undefined;
  }
}

/** Returns the valid certificates among the first `most` PEM blocks of a string. */
export function readCertificates(pem: string, most = Number.POSITIVE_INFINITY): readonly X509Certificate[] {
  return pemCertificates(pem)
    .slice(0, most)
    .flatMap((block) => readCertificate(block) ?? []);
}

/** Formats the subject or the issuer of a certificate on one line. */
export function oneLine(name: string): string {
  return name.replaceAll('\n', ', ');
}
