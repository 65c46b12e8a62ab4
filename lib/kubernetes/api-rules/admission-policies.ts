import { fits, isLabelKey, NAME_FORMS } from '../names';
import {
  all,
  type Check,
  duplicate,
  each,
  fields,
  forbidden,
  has,
  invalid,
  listIn,
  needsSpec,
  notSupported,
  object,
  objectIn,
  own,
  required,
  textAt,
} from './check';
import type { RuleTable } from './rule-table';
import { dnsSubdomain, labelKey, oneOf, orEmpty, pathSegment } from './scalars';

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

const expression: Check = (value, findings) => {
  if (isBlank(value)) findings.refuse(invalid(value, 'an expression must not be blank', 'write a CEL expression'));
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
      findings.refuse(duplicate(names[again], 'each name is used once', 'remove one of them'), again, field);
  };

const validation: Check = all(
  fields({ expression, messageExpression: notBlank, reason: oneOf('Forbidden', 'Invalid', 'RequestEntityTooLarge') }),
  object((value, findings) => {
    const message = own(value, 'message');
    if (typeof message !== 'string' || message === '') return;
    if (message.trim() === '' || /[\n\r]/.test(message.trim())) {
      findings.refuse(invalid(message, 'a message is one line and not blank', 'write it on one line'), 'message');
    }
  }),
);

const GROUP_VERSION =
  /^(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?[a-z](?:[-a-z0-9]*[a-z0-9])?$/;

const paramKind: Check = object((value, findings) => {
  const version = own(value, 'apiVersion') ?? '';
  const kind = own(value, 'kind') ?? '';
  if (typeof version === 'string' && !GROUP_VERSION.test(version)) {
    findings.refuse(
      invalid(version, 'it must be the API version of a kind', 'write "v1" or "example.com/v1"'),
      'apiVersion',
    );
  }
  if (typeof kind === 'string' && !fits(kind.toLowerCase(), NAME_FORMS.dns1035Label)) {
    findings.refuse(invalid(kind, 'it must be the name of a kind', 'write the kind, such as "ConfigMap"'), 'kind');
  }
});

const paramRef: Check = all(
  fields({ name: orEmpty(pathSegment) }),
  object((value, findings) => {
    const hasName = textAt(value, 'name') !== undefined;
    if (hasName === has(value, 'selector')) {
      findings.refuseWhole(
        hasName
          ? forbidden('name is set, and parameters are chosen by a name or a selector', 'keep one of them')
          : required('name or selector', 'parameters are chosen by one of them', 'add one of them'),
        ...(hasName ? ['selector'] : []),
      );
    }
    const action = own(value, 'parameterNotFoundAction');
    if (action !== 'Allow' && action !== 'Deny') {
      findings.refuse(notSupported(action, ['Allow', 'Deny']), 'parameterNotFoundAction');
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
                findings.refuse(
                  invalid(
                    key,
                    'the name of the policy, "/" and the key together must be the key of an annotation',
                    'write a name of letters, digits, "-", "_" and "."',
                  ),
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
        findings.refuseWhole(
          required('matchConstraints.resourceRules', 'without a rule, the policy matches nothing', 'add a rule'),
        );
      }
      if (listIn(spec, 'validations').length > 0 || listIn(spec, 'auditAnnotations').length > 0) return;
      findings.refuseWhole(
        required('validations or auditAnnotations', 'without either, the policy does nothing', 'add a validation'),
      );
    }),
  ),
  ValidatingAdmissionPolicyBindingSpec: all(
    fields({ paramRef }),
    object((spec, findings) => {
      if (!has(spec, 'policyName') || own(spec, 'policyName') === '') {
        findings.refuseWhole(required('policyName', 'a binding binds a policy', 'add the policyName'));
      } else findings.at('policyName', own(spec, 'policyName'), dnsSubdomain);
      const actions = listIn(spec, 'validationActions');
      if (actions.length === 0) {
        findings.refuseWhole(required('validationActions', 'without an action, the binding does nothing', 'add Deny'));
      }
      if (actions.includes('Deny') && actions.includes('Warn')) {
        findings.refuseWhole(
          invalid(actions, 'Deny already reports what Warn would', 'keep one of Deny and Warn'),
          'validationActions',
        );
      }
    }),
  ),
};

function variableName(value: unknown, findings: Parameters<Check>[1]): void {
  if (typeof value === 'string' && IDENTIFIER.test(value) && !RESERVED.has(value)) return;
  findings.refuse(invalid(value, 'it must be an identifier of CEL', 'write a name of letters, digits and "_"'));
}
