import type { CatalogueEntry } from '#base/findings/catalogue';

/**
 * The codes of the rules for objects in files, and for values of charts that controllers install. Rules that need
 * constructs are not included.
 */
export const LINT_CODES: readonly string[] = [
  'acknowledged-nothing',
  'acknowledgement-refused',
  'address-refused',
  'annotation-misplaced',
  'annotation-unknown',
  'annotation-without-effect',
  'audit-inaccurate',
  'bundle-of-issued-certificate',
  'ca-bundle-contested',
  'certificate-outlives-issuer',
  'certificate-refused',
  'certificate-secret-shared',
  'chart-value-refused',
  'client-not-meshed',
  'cni-mismatch',
  'collector-refused',
  'component-release-differs',
  'containers-race',
  'control-plane-guarded',
  'control-plane-value-refused',
  'crds-undeclared',
  'credentials-found',
  'cron-expression-refused',
  'duration-refused',
  'field-refused',
  'file-unreadable',
  'high-availability-overridden',
  'host-network-in-mesh',
  'image-abandoned',
  'image-refused',
  'image-release-differs',
  'ingress-denied',
  'injected-value-missing',
  'injected-value-refused',
  'injector-deadlock',
  'job-never-ends',
  'kind-unknown',
  'list-refused',
  'log-filter-refused',
  'mesh-unscraped',
  'metadata-refused',
  'name-invalid',
  'namespace-never-injected',
  'object-incomplete',
  'object-unchecked',
  'opaque-port-overridden',
  'opaque-ports-without-effect',
  'policy-not-enforced',
  'policy-reference-missing',
  'policy-refused',
  'policy-without-pods',
  'port-refused',
  'private-key-found',
  'probe-denied',
  'probe-path-shared',
  'probe-paths-open',
  'prometheus-missing',
  'proxy-resources-refused',
  'quantity-refused',
  'reference-missing',
  'release-fault',
  'request-over-limit',
  'required-identity-overridden',
  'root-forbidden',
  'route-protocol-mismatch',
  'routes-partial',
  'scraper-denied',
  'servers-overlap',
  'service-account-shared',
  'setting-refused',
  'setting-unsupported',
  'value-ignored',
  'version-not-served',
  'version-unknown',
  'webhook-certificate-refused',
  'webhook-denied',
  'workload-unreachable',
  'wrong-type',
];

/** Returns a line for each rule: its code, its severity, and its first cause. */
export function ruleLines(): readonly string[] {
  const { CATALOGUE } = require('../catalogues') as typeof import('../catalogues');
  const { textWithNames } = require('#base/findings/catalogue') as typeof import('#base/findings/catalogue');
  const first = new Map(CATALOGUE.toReversed().map((entry): [string, CatalogueEntry] => [entry.code, entry]));
  const width = Math.max(...LINT_CODES.map(({ length }) => length));
  return LINT_CODES.flatMap((code) => {
    const entry = first.get(code);
    if (entry === undefined) return [];
    const severity = entry.severity === 'error' ? 'error' : 'warning';
    return [`${code.padEnd(width)}  ${severity.padEnd('warning'.length)}  ${textWithNames(entry.what)}`];
  });
}
