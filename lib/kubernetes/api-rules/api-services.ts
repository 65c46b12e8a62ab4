import { all, fields, has, object, objectIn, own, REFUSES, textAt } from './check';
import type { RuleTable } from './rule-table';
import { between, dns1035Label, dnsSubdomain, orEmpty, portNumber } from './scalars';

/** Rules of APIs that others serve for the API server. */
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
        findings.refuse(
          {
            code: 'field-not-allowed',
            says: 'is true',
            why: `${REFUSES} with a caBundle, or without a service`,
            fix: 'remove it',
          },
          'insecureSkipTLSVerify',
        );
      }
      if (!has(spec, 'service')) {
        if (hasBundle)
          findings.refuse(
            { code: 'field-not-allowed', says: 'is set', why: `${REFUSES} without a service`, fix: 'remove it' },
            'caBundle',
          );
        return;
      }
      findings.at(
        'service',
        service,
        object((reference) => {
          for (const field of ['name', 'namespace']) {
            if (textAt(reference, field) !== undefined) continue;
            findings.refuseWhole({
              code: 'field-missing',
              says: `has no ${field}`,
              why: `${REFUSES}: it is a Service`,
              fix: `add the ${field}`,
            });
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
    findings.refuseValue(
      name,
      `${REFUSES}: it is the version, "." and the group`,
      `write "${expected}"`,
      'metadata',
      'name',
    );
  }),
};
