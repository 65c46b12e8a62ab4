import type { ReferenceRule } from './reference-rules';

/** The places at which an endpoint of the Prometheus operator names the credentials for a scrape. */
const IN_ENDPOINT: readonly ReferenceRule[] = [
  ...['basicAuth.username', 'basicAuth.password', 'authorization.credentials', 'bearerTokenSecret'].map(secretAt),
  ...['oauth2.clientSecret', 'oauth2.clientId.secret'].map(secretAt),
  ...['tlsConfig.ca.secret', 'tlsConfig.cert.secret', 'tlsConfig.keySecret'].map(secretAt),
  ...['oauth2.clientId.configMap', 'tlsConfig.ca.configMap', 'tlsConfig.cert.configMap'].map(configMapAt),
];

/** The places at which monitors refer to Secrets and ConfigMaps. */
export const MONITOR_RULES: Readonly<Record<string, readonly ReferenceRule[]>> = {
  'monitoring.coreos.com/PodMonitor': inEach('spec.podMetricsEndpoints[]'),
  'monitoring.coreos.com/ServiceMonitor': inEach('spec.endpoints[]'),
};

function inEach(endpoints: string): readonly ReferenceRule[] {
  return IN_ENDPOINT.map((rule) => ({ ...rule, at: `${endpoints}.${rule.at}` }));
}

function secretAt(at: string): ReferenceRule {
  return { at, kind: 'Secret' };
}

function configMapAt(at: string): ReferenceRule {
  return { at, kind: 'ConfigMap' };
}
