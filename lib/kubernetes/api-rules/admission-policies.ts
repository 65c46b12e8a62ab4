import { fits, isLabelKey, NAME_FORMS } from '../names';
import { all, type Check, each, fields, has, listIn, needsSpec, object, objectIn, own, REFUSES, textAt } from './check';
import type { RuleTable } from './rule-table';
import { dnsSubdomain, labelKey, oneOf, orEmpty, pathSegment } from './scalars';

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

const expression: Check = (value, findings) => {
  if (isBlank(value)) findings.refuseValue(value, `${REFUSES}: it says nothing`, 'write a CEL expression');
};

/** Fields that say something or are left out. */
const notBlank: Check = (value, findings) => {
  if (value !== '') expression(value, findings);
};

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;

const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const unique =
  (field: string): Check =>
  (value, findings) => {
    if (!Array.isArray(value)) return;
    const names = value.map((item) => (typeof item === 'object' && item !== null ? own(item, field) : undefined));
    const again = names.findIndex((name, index) => name !== undefined && names.indexOf(name) < index);
    if (again !== -1)
      findings.refuseRepetition(names[again], `${REFUSES}: it is there twice`, 'remove one of them', again, field);
  };

const validation: Check = all(
  fields({ expression, messageExpression: notBlank, reason: oneOf('Forbidden', 'Invalid', 'RequestEntityTooLarge') }),
  object((value, findings) => {
    const message = own(value, 'message');
    if (typeof message !== 'string' || message === '') return;
    if (message.trim() === '' || /[\n\r]/.test(message.trim())) {
      findings.refuseValue(
        message,
        `${REFUSES}: it is one line that says something`,
        'write it in one line',
        'message',
      );
    }
  }),
);

const GROUP_VERSION =
  /^(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?[a-z](?:[-a-z0-9]*[a-z0-9])?$/;

const paramKind: Check = object((value, findings) => {
  const version = own(value, 'apiVersion') ?? '';
  const kind = own(value, 'kind') ?? '';
  if (typeof version === 'string' && !GROUP_VERSION.test(version)) {
    findings.refuseValue(
      version,
      `${REFUSES}: it is the version of a kind`,
      'write "v1" or "example.com/v1"',
      'apiVersion',
    );
  }
  if (typeof kind === 'string' && !fits(kind.toLowerCase(), NAME_FORMS.dns1035Label)) {
    findings.refuseValue(kind, `${REFUSES}: it is a kind`, 'write "ConfigMap" for instance', 'kind');
  }
});

const paramRef: Check = all(
  fields({ name: orEmpty(pathSegment) }),
  object((value, findings) => {
    const hasName = textAt(value, 'name') !== undefined;
    if (hasName === has(value, 'selector')) {
      findings.refuseWhole({
        code: 'not-exactly-one',
        says: hasName ? 'has name and selector' : 'has neither name nor selector',
        why: `${REFUSES}: parameters are chosen by one of these`,
        fix: 'keep one of them',
      });
    }
    const action = own(value, 'parameterNotFoundAction');
    if (action !== 'Allow' && action !== 'Deny') {
      findings.refuseValue(
        action,
        `${REFUSES}: without parameters it allows or denies`,
        'write Allow or Deny',
        'parameterNotFoundAction',
      );
    }
  }),
);

/** Rules of policies of admission. */
export const ADMISSION_POLICY_RULES: RuleTable = {
  ValidatingAdmissionPolicy: needsSpec,
  ValidatingAdmissionPolicyBinding: needsSpec,
  MatchCondition: fields({ name: labelKey, expression }),
  MatchResources: fields({ matchPolicy: oneOf('Equivalent', 'Exact') }),
  ValidatingAdmissionPolicySpec: all(
    fields({
      validations: each(validation),
      paramKind,
      variables: each(fields({ expression, name: variableName })),
      auditAnnotations: all(
        unique('key'),
        each(
          all(
            fields({ valueExpression: expression }),
            object((annotation, findings) => {
              const key = own(annotation, 'key');
              const name = own(objectIn(findings.root, 'metadata'), 'name');
              if (typeof key === 'string' && !isLabelKey(`${String(name)}/${key}`)) {
                findings.refuseValue(
                  key,
                  `${REFUSES}: the policy's name, "/" and the key are that of an annotation`,
                  'write a name',
                  'key',
                );
              }
            }),
          ),
        ),
      ),
    }),
    object((spec, findings) => {
      if (!has(spec, 'matchConstraints') || listIn(objectIn(spec, 'matchConstraints'), 'resourceRules').length === 0) {
        findings.refuseWhole({
          code: 'field-missing',
          says: 'has no matchConstraints.resourceRules',
          why: `${REFUSES}: it would be about nothing`,
          fix: 'add a rule',
        });
      }
      if (listIn(spec, 'validations').length > 0 || listIn(spec, 'auditAnnotations').length > 0) return;
      findings.refuseWhole({
        code: 'field-missing',
        says: 'has neither validations nor auditAnnotations',
        why: `${REFUSES}: it would do nothing`,
        fix: 'add a validation',
      });
    }),
  ),
  ValidatingAdmissionPolicyBindingSpec: all(
    fields({ paramRef }),
    object((spec, findings) => {
      if (!has(spec, 'policyName') || own(spec, 'policyName') === '') {
        findings.refuseWhole({
          code: 'field-missing',
          says: 'has no policyName',
          why: `${REFUSES}: it binds a policy`,
          fix: 'add the policyName',
        });
      } else findings.at('policyName', own(spec, 'policyName'), dnsSubdomain);
      const actions = listIn(spec, 'validationActions');
      if (actions.length === 0) {
        findings.refuseWhole({
          code: 'field-missing',
          says: 'has no validationActions',
          why: `${REFUSES}: it would do nothing`,
          fix: 'add Deny',
        });
      }
      if (actions.includes('Deny') && actions.includes('Warn')) {
        findings.refuseWhole(
          {
            code: 'fields-clash',
            says: 'has Deny and Warn',
            why: `${REFUSES}: what is denied is said already`,
            fix: 'keep one of them',
          },
          'validationActions',
        );
      }
    }),
  ),
};

function variableName(value: unknown, findings: Parameters<Check>[1]): void {
  if (typeof value === 'string' && IDENTIFIER.test(value) && !RESERVED.has(value)) return;
  findings.refuseValue(value, `${REFUSES}: it is no identifier`, 'write a name of letters, digits and "_"');
}
