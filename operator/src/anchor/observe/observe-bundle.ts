import { createHash } from 'node:crypto';
import type { ObservedBundle } from '#anchor/observed';
import { TRUST_ROOTS_KEY } from '#anchor/trust-anchor';
import { caCertificate, type KnownCertificate, knownCertificates } from '../../pki/known-certificate';
import type { ConfigMap } from '../objects/trust-anchor';

/** Returns the text of the bundle, exactly as the injector hashes it; undefined if there is none. */
export function bundleText(configMap: ConfigMap | undefined): string | undefined {
  return configMap?.data?.[TRUST_ROOTS_KEY];
}

/** Returns the certificates of a bundle. */
export function bundledCertificates(configMap: ConfigMap | undefined): readonly KnownCertificate[] {
  return knownCertificates(bundleText(configMap) ?? '');
}

/** Returns the bundle in the control plane's namespace. One without content counts as missing. */
export function observeBundle(
  configMap: ConfigMap | undefined,
  known: readonly KnownCertificate[],
): ObservedBundle | undefined {
  const text = bundleText(configMap);
  if (text === undefined) return undefined;
  return {
    hash: createHash('sha256').update(text).digest('hex'),
    anchors: knownCertificates(text)
      .filter(({ x509 }) => x509.ca)
      .map((certificate) => caCertificate(certificate, known)),
  };
}
