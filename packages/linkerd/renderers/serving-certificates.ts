import type { Problem } from '#base/findings/problem';
import { holdsPrivateKey } from '#base/secrets/secret-spans';
import { LINKERD_CHART_FINDINGS } from './findings';

/** Values for the certificate of a component that API servers trust, and for the source of its key. */
export interface ServingCertificate {
  readonly caBundle: string | undefined;
  readonly injectCaFrom: string | undefined;
  readonly injectCaFromSecret: string | undefined;
  readonly externalSecret: boolean | undefined;
}

const SOURCES = ['injectCaFrom', 'injectCaFromSecret', 'caBundle'] as const;

/**
 * Checks that API servers trust exactly one certificate of a component, and that no chart creates its key.
 *
 * @param key the key of the component in the chart's values
 */
export function checkServingCertificate(key: string, values: ServingCertificate): readonly Problem[] {
  return [...checkSources(key, values), ...checkKeyElsewhere(key, values)];
}

function checkSources(key: string, values: ServingCertificate): readonly Problem[] {
  const sources = SOURCES.filter((source) => values[source]);
  if (sources.length > 1) {
    // A private key in caBundle is reported separately.
    if (holdsPrivateKey(values.caBundle ?? '')) return [];
    return [
      LINKERD_CHART_FINDINGS.caSourceAmbiguousSeveral(
        { key, sources: sources.join(' and ') },
        { about: `values.${key}` },
      ),
    ];
  }
  if (sources.length === 1 || !values.externalSecret) return [];
  return [LINKERD_CHART_FINDINGS.caSourceAmbiguousNone({ key }, { about: `values.${key}.externalSecret` })];
}

function checkKeyElsewhere(key: string, { externalSecret }: ServingCertificate): readonly Problem[] {
  if (externalSecret) return [];
  return [LINKERD_CHART_FINDINGS.keyMadeByChartWebhook({ key }, { about: `values.${key}.externalSecret` })];
}

/** Reports a value with which the chart of the control plane would print the identity issuer's private key. */
export function checkIssuerKey(scheme: unknown): readonly Problem[] {
  if (scheme !== 'linkerd.io/tls') return [];
  return [LINKERD_CHART_FINDINGS.keyMadeByChartIdentity({ scheme }, { about: 'values.identity.issuer.scheme' })];
}
