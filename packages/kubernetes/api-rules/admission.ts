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
  (list: string): Check =>
  (value, findings) => {
    notEmpty(value, findings);
    if (!Array.isArray(value) || value.length < 2 || !value.includes('*')) return;
    findings.refuseWhole(invalid(value, 'wildcard-alone', { list }));
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
    findings.refuseWhole(invalid(value, 'wildcard-covers'));
  }
};

const requestRule: Check = all(
  fields({
    apiGroups: wildcard('apiGroups'),
    apiVersions: all(wildcard('apiVersions'), each(notEmpty)),
    operations: wildcard('operations'),
    resources: all(resourceNames, each(notEmpty)),
    scope: oneOf('*', 'Cluster', 'Namespaced'),
    resourceNames: all(each(pathSegment), (value, findings) => {
      if (!Array.isArray(value) || new Set(value).size === value.length) return;
      findings.refuseWhole(invalid(value, 'listed-once'));
    }),
  }),
  object((rule, findings) => {
    for (const field of NEEDED) {
      if (has(rule, field)) continue;
      findings.refuseWhole(required(field, 'request-rule'));
    }
  }),
);

const qualified: Check = (value, findings) => {
  if (typeof value === 'string' && fits(value, NAME_FORMS.dnsSubdomain) && value.split('.').length >= 3) return;
  findings.refuse(invalid(value, 'webhook-name'));
};

const reviewVersions: Check = (value, findings) => {
  notEmpty(value, findings);
  if (!Array.isArray(value) || value.length === 0) return;
  if (!value.includes('v1') && !value.includes('v1beta1')) {
    findings.refuseWhole(invalid(value, 'review-versions'));
  }
  if (new Set(value).size < value.length) {
    findings.refuseWhole(invalid(value, 'listed-once'));
  }
  each(dns1035Label)(value, findings);
};

const webhookUrl: Check = (value, findings) => {
  if (typeof value !== 'string') return;
  const { protocol, username, password, hash, search } = URL.canParse(value) ? new URL(value) : { protocol: '' };
  if (protocol === 'https:' && !username && !password && !hash && !search && !/\s/.test(value)) return;
  findings.refuse(invalid(value, 'webhook-url'));
};

const webhookPath: Check = (value, findings) => {
  if (typeof value !== 'string' || value === '' || value === '/') return;
  const segments = value.slice(1).replace(/\/$/, '').split('/');
  if (value.startsWith('/') && segments.every((segment) => fits(segment, NAME_FORMS.dnsSubdomain))) return;
  findings.refuse(invalid(value, 'webhook-path'));
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
  AdmissionregistrationWebhookClientConfig: all(exactlyOne('service', 'url'), fields({ url: webhookUrl })),
  AdmissionregistrationServiceReference: fields({
    name: notEmpty,
    namespace: notEmpty,
    port: portNumber,
    path: webhookPath,
  }),
};

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

const expression: Check = (value, findings) => {
  if (isBlank(value)) findings.refuse(invalid(value, 'expression-blank'));
};

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
    if (again !== -1) findings.refuse(duplicate(names[again], 'name-once'), again, field);
  };

const validation: Check = all(
  fields({ expression, messageExpression: notBlank, reason: oneOf('Forbidden', 'Invalid', 'RequestEntityTooLarge') }),
  object((value, findings) => {
    const message = own(value, 'message');
    if (typeof message !== 'string' || message === '') return;
    if (message.trim() === '' || /[\n\r]/.test(message.trim())) {
      findings.refuse(invalid(message, 'message-lines'), 'message');
    }
  }),
);

function isGroupVersion(text: string): boolean {
  const slash = text.indexOf('/');
  const isOfGroup = slash === -1 || fits(text.slice(0, slash), NAME_FORMS.dnsSubdomain);
  return isOfGroup && fits(text.slice(slash + 1), NAME_FORMS.dns1035Label);
}

const paramKind: Check = object((value, findings) => {
  const version = own(value, 'apiVersion') ?? '';
  const kind = own(value, 'kind') ?? '';
  if (typeof version === 'string' && !isGroupVersion(version)) {
    findings.refuse(invalid(version, 'api-version'), 'apiVersion');
  }
  if (typeof kind === 'string' && !fits(kind.toLowerCase(), NAME_FORMS.dns1035Label)) {
    findings.refuse(invalid(kind, 'kind'), 'kind');
  }
});

const paramRef: Check = all(
  fields({ name: orEmpty(pathSegment) }),
  object((value, findings) => {
    const hasName = textAt(value, 'name') !== undefined;
    if (hasName === has(value, 'selector')) {
      findings.refuseWhole(
        hasName ? forbidden('one-of-several', { other: 'name' }) : required('name or selector', 'one-of-several'),
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
                findings.refuse(invalid(key, 'audit-key'), 'key');
              }
            }),
          ),
        ),
      ),
    }),
    object((spec, findings) => {
      if (!has(spec, 'matchConstraints') || listIn(objectIn(spec, 'matchConstraints'), 'resourceRules').length === 0) {
        findings.refuseWhole(required('matchConstraints.resourceRules', 'policy-rule'));
      }
      if (listIn(spec, 'validations').length > 0 || listIn(spec, 'auditAnnotations').length > 0) return;
      findings.refuseWhole(required('validations or auditAnnotations', 'policy-effect'));
    }),
  ),
  ValidatingAdmissionPolicyBindingSpec: all(
    fields({ paramRef }),
    object((spec, findings) => {
      if (!has(spec, 'policyName') || own(spec, 'policyName') === '') {
        findings.refuseWhole(required('policyName', 'binding-policy'));
      } else findings.at('policyName', own(spec, 'policyName'), dnsSubdomain);
      const actions = listIn(spec, 'validationActions');
      if (actions.length === 0) {
        findings.refuseWhole(required('validationActions', 'binding-action'));
      }
      if (actions.includes('Deny') && actions.includes('Warn')) {
        findings.refuseWhole(invalid(actions, 'deny-and-warn'), 'validationActions');
      }
    }),
  ),
};

function variableName(value: unknown, findings: Parameters<Check>[1]): void {
  if (typeof value === 'string' && IDENTIFIER.test(value) && !RESERVED.has(value)) return;
  findings.refuse(invalid(value, 'cel-identifier'));
}
