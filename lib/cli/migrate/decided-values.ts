import type { Problem } from '../../kubernetes/findings/problem';
import type { Release } from '../../linkerd/releases/release';
import { CLI_FINDINGS } from '../findings';
import type { RemainingValues } from './remaining-values';

const SOURCES_OF_CA = ['externalSecret', 'injectCaFrom', 'injectCaFromSecret', 'caBundle'];

/** Takes what says where webhooks have their certificates from: the PKI decides that. */
export function takeWebhooks(remaining: RemainingValues, webhooks: readonly string[]): readonly Problem[] {
  return webhooks.flatMap((webhook) => {
    for (const key of SOURCES_OF_CA) remaining.take(`${webhook}.${key}`);
    return takeCertificate(remaining, `${webhook}.crtPEM`);
  });
}

/** Takes a certificate, which is of no use without the key. */
export function takeCertificate(remaining: RemainingValues, path: string): readonly Problem[] {
  if (remaining.takeText(path) === undefined) return [];
  const reason = 'CertManagerPKI has cert-manager issue the certificate, and the chart reads it from a Secret';
  return [CLI_FINDINGS.valueNotNeeded({ path: `values.${path}`, reason })];
}

/** Takes the version that values name: constructs decide it. */
export function takeVersion(remaining: RemainingValues, release: Release): readonly Problem[] {
  const named = remaining.takeText('linkerdVersion');
  if (named === undefined) return [];
  return [CLI_FINDINGS.versionNotMigrated({ version: named, release: release.version })];
}

/** Takes the switch for what Kubernetes does not know any more. */
export function takePodSecurityPolicy(remaining: RemainingValues): readonly Problem[] {
  if (remaining.take('enablePSP') !== true) return [];
  const reason =
    'Kubernetes has had no PodSecurityPolicy since 1.25: namespaces carry the labels of the Pod Security Standards';
  return [CLI_FINDINGS.valueNotNeeded({ path: 'values.enablePSP', reason })];
}
