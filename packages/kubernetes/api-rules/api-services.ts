import type { RuleTable } from './check';
import { all, fields, forbidden, has, invalid, object, objectIn, own, required, textAt } from './check';
import { between, dns1035Label, dnsSubdomain, orEmpty, portNumber } from './scalars';

/** Rules of aggregated APIs. */
export const API_SERVICE_RULES: RuleTable = {
  APIServiceSpec: all(
    fields({
      group: orEmpty(dnsSubdomain),
      groupPriorityMinimum: between(1, 20_000),
      versionPriority: between(1, 1_000),
    }),
    object((spec, findings) => {
      findings.at('version', own(spec, 'version') ?? '', dns1035Label);
      const service = own(spec, 'service');
      const hasBundle = textAt(spec, 'caBundle') !== undefined;
      const isInsecure = own(spec, 'insecureSkipTLSVerify') === true;
      if (isInsecure && (hasBundle || !has(spec, 'service'))) {
        findings.refuse(forbidden('insecure-api'), 'insecureSkipTLSVerify');
      }
      if (!has(spec, 'service')) {
        if (hasBundle) findings.refuse(forbidden('ca-without-service'), 'caBundle');
        return;
      }
      findings.at(
        'service',
        service,
        object((reference) => {
          for (const field of ['name', 'namespace']) {
            if (textAt(reference, field) !== undefined) continue;
            findings.refuseWhole(required(field, 'service-reference'));
          }
          findings.at('port', own(reference, 'port'), portNumber);
        }),
      );
    }),
  ),
  APIService: object((service, findings) => {
    const spec = objectIn(service, 'spec');
    const name = own(objectIn(service, 'metadata'), 'name');
    const expected = `${own(spec, 'version') ?? ''}.${own(spec, 'group') ?? ''}`;
    if (typeof name !== 'string' || name === expected) return;
    findings.refuse(invalid(name, 'api-service-name', { expected }), 'metadata', 'name');
  }),
};
