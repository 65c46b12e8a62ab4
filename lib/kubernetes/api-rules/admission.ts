import { fits, isLabelKey, NAME_FORMS } from '../names';
import {
  all,
  type Check,
  duplicate,
  each,
  exactlyOne,
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
  type RuleTable,
  required,
  textAt,
} from './check';
import {
  between,
  dns1035Label,
  dnsSubdomain,
  labelKey,
  notEmpty,
  oneOf,
  orEmpty,
  pathSegment,
  portNumber,
} from './scalars';

const wildcard =
  (what: string): Check =>
  (value, findings) => {
    notEmpty(value, findings);
    if (!Array.isArray(value) || value.length < 2 || !value.includes('*')) return;
    findings.refuseWhole(invalid(value, `"*" stands for all ${what}`, 'remove the others'));
  };

const NEEDED = ['apiGroups', 'apiVersions', 'operations', 'resources'];

const resourceNames: Check = (value, findings) => {
  notEmpty(value, findings);
  if (!Array.isArray(value)) return;
  const all = value.filter((item) => typeof item === 'string');
  const wild = (name: string) => all.some((other, index) => other === name && index < all.length);
  const sub = all.filter((name) => name.includes('/'));
  const last = all.filter((name) => !name.includes('/')).at(-1);
  const covered = sub.find((name, index) => {
    const [resource = '', ...rest] = name.split('/');
    const before = all.slice(0, all.indexOf(name));
    return index >= 0 && (before.includes(`${resource}/*`) || before.includes(`*/${rest.join('/')}`));
  });
  const isTwice = sub.some((name, index) => /(?:^\*\/|\/\*$)/.test(name) && sub.indexOf(name) < index);
  if (
    (all.length > 1 && wild('*/*')) ||
    (wild('*') && last !== undefined && last !== '*') ||
    covered !== undefined ||
    isTwice
  ) {
    findings.refuseWhole(invalid(value, 'a "*" stands for others in the list', 'remove what "*" stands for'));
  }
};

/** Checks the requests that a webhook or a policy matches. */
const requestRule: Check = all(
  fields({
    apiGroups: wildcard('groups'),
    apiVersions: all(wildcard('versions'), each(notEmpty)),
    operations: wildcard('operations'),
    resources: all(resourceNames, each(notEmpty)),
    scope: oneOf('*', 'Cluster', 'Namespaced'),
    resourceNames: all(each(pathSegment), (value, findings) => {
      if (!Array.isArray(value) || new Set(value).size === value.length) return;
      findings.refuseWhole(invalid(value, 'each name is listed once', 'remove one of them'));
    }),
  }),
  object((rule, findings) => {
    for (const field of NEEDED) {
      if (has(rule, field)) continue;
      findings.refuseWhole(required(field, 'without it, the rule matches nothing', `add the ${field}`));
    }
  }),
);

/** The name of a webhook must be fully qualified. */
const qualified: Check = (value, findings) => {
  if (typeof value === 'string' && fits(value, NAME_FORMS.dnsSubdomain) && value.split('.').length >= 3) return;
  findings.refuse(
    invalid(value, 'the name of a webhook is a DNS name of at least three parts', 'write "name.example.com"'),
  );
};

const reviewVersions: Check = (value, findings) => {
  notEmpty(value, findings);
  if (!Array.isArray(value) || value.length === 0) return;
  if (!value.includes('v1') && !value.includes('v1beta1')) {
    findings.refuseWhole(invalid(value, 'API servers send v1 or v1beta1', 'add v1'));
  }
  if (new Set(value).size < value.length) {
    findings.refuseWhole(invalid(value, 'each version is listed once', 'remove one of them'));
  }
  each(dns1035Label)(value, findings);
};

const webhookUrl: Check = (value, findings) => {
  if (typeof value !== 'string') return;
  const { protocol, username, password, hash, search } = URL.canParse(value) ? new URL(value) : { protocol: '' };
  if (protocol === 'https:' && !username && !password && !hash && !search && !/\s/.test(value)) return;
  findings.refuse(
    invalid(
      value,
      'it must be https://host/path, without user, query and fragment',
      'write "https://host/path", or refer to a service',
    ),
  );
};

const webhookPath: Check = (value, findings) => {
  if (typeof value !== 'string' || value === '' || value === '/') return;
  const segments = value.slice(1).replace(/\/$/, '').split('/');
  if (value.startsWith('/') && segments.every((segment) => fits(segment, NAME_FORMS.dnsSubdomain))) return;
  findings.refuse(invalid(value, 'the segments of the path must be DNS names', 'write a path such as "/mutate"'));
};

const webhook: Check = fields({
  name: qualified,
  timeoutSeconds: between(1, 30),
  admissionReviewVersions: reviewVersions,
});

/** Rules of webhooks, and of the requests that they or policies match. */
export const WEBHOOK_RULES: RuleTable = {
  MutatingWebhook: webhook,
  ValidatingWebhook: webhook,
  RuleWithOperations: requestRule,
  NamedRuleWithOperations: all(
    requestRule,
    fields({ operations: each(oneOf('*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE')) }),
  ),
  AdmissionregistrationWebhookClientConfig: all(
    exactlyOne(['service', 'url'], 'a webhook has one of them'),
    fields({ url: webhookUrl }),
  ),
  AdmissionregistrationServiceReference: fields({
    name: notEmpty,
    namespace: notEmpty,
    port: portNumber,
    path: webhookPath,
  }),
};

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

const expression: Check = (value, findings) => {
  if (isBlank(value)) findings.refuse(invalid(value, 'an expression must not be blank', 'write a CEL expression'));
};

/** Fields that must not be blank if set. */
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

/** Rules of admission policies. */
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
        findings.refuseWhole(required('policyName', 'a binding refers to a policy', 'add the policyName'));
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
