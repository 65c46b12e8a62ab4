import { fits, isLabelKey, NAME_FORMS } from '../../kubernetes/names';
import { all, type Check, each, fields, has, listIn, needsSpec, object, objectIn, own, REFUSES, textAt } from './check';
import { exactlyOne } from './containers';
import type { RuleTable } from './rule-table';
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
    findings.refuse({
      code: 'wildcard-beside-others',
      says: 'has "*" and others',
      why: `${REFUSES}: "*" stands for all ${what}`,
      fix: 'remove the others',
    });
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
    findings.refuse({
      code: 'wildcard-beside-others',
      says: 'has a "*" and what that stands for',
      why: `${REFUSES}: it is said twice`,
      fix: 'remove what "*" stands for',
    });
  }
};

/** Returns which requests a webhook or a policy is about. */
const requestRule: Check = all(
  fields({
    apiGroups: wildcard('groups'),
    apiVersions: all(wildcard('versions'), each(notEmpty)),
    operations: wildcard('operations'),
    resources: all(resourceNames, each(notEmpty)),
    scope: oneOf('*', 'Cluster', 'Namespaced'),
    resourceNames: all(each(pathSegment), (value, findings) => {
      if (!Array.isArray(value) || new Set(value).size === value.length) return;
      findings.refuse({ code: 'repeated-item', says: 'has a name twice', why: REFUSES, fix: 'remove one of them' });
    }),
  }),
  object((rule, findings) => {
    for (const field of NEEDED) {
      if (has(rule, field)) continue;
      findings.refuse({
        code: 'field-missing',
        says: `has no ${field}`,
        why: `${REFUSES}: it would be about nothing`,
        fix: `add the ${field}`,
      });
    }
  }),
);

/** The name of a webhook has a domain of its own. */
const qualified: Check = (value, findings) => {
  if (typeof value === 'string' && fits(value, NAME_FORMS.dnsSubdomain) && value.split('.').length >= 3) return;
  findings.refuseValue(
    value,
    `${REFUSES}: the name of a webhook is a DNS name of at least three parts`,
    'write "name.example.com"',
  );
};

const reviewVersions: Check = (value, findings) => {
  notEmpty(value, findings);
  if (!Array.isArray(value) || value.length === 0) return;
  if (!value.includes('v1') && !value.includes('v1beta1')) {
    findings.refuse({
      code: 'review-version-missing',
      says: 'has neither v1 nor v1beta1',
      why: `${REFUSES}: API servers ask in these versions`,
      fix: 'add v1',
    });
  }
  if (new Set(value).size < value.length) {
    findings.refuse({ code: 'repeated-item', says: 'has a version twice', why: REFUSES, fix: 'remove one of them' });
  }
  each(dns1035Label)(value, findings);
};

const webhookUrl: Check = (value, findings) => {
  if (typeof value !== 'string') return;
  const { protocol, username, password, hash, search } = URL.canParse(value) ? new URL(value) : { protocol: '' };
  if (protocol === 'https:' && !username && !password && !hash && !search && !/\s/.test(value)) return;
  findings.refuseValue(
    value,
    `${REFUSES}: it calls https://host/path, without user, query and fragment`,
    'write such a URL',
  );
};

const webhookPath: Check = (value, findings) => {
  if (typeof value !== 'string' || value === '' || value === '/') return;
  const segments = value.slice(1).replace(/\/$/, '').split('/');
  if (value.startsWith('/') && segments.every((segment) => fits(segment, NAME_FORMS.dnsSubdomain))) return;
  findings.refuseValue(value, `${REFUSES}: the path has DNS names between "/"`, 'write a path such as "/mutate"');
};

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
      findings.refuse({
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

const webhook: Check = fields({
  name: qualified,
  timeoutSeconds: between(1, 30),
  admissionReviewVersions: reviewVersions,
});

/** Rules of admission, before an object is stored. */
export const ADMISSION_RULES: RuleTable = {
  ValidatingAdmissionPolicy: needsSpec,
  ValidatingAdmissionPolicyBinding: needsSpec,
  MutatingWebhook: webhook,
  ValidatingWebhook: webhook,
  RuleWithOperations: requestRule,
  NamedRuleWithOperations: all(
    requestRule,
    fields({ operations: each(oneOf('*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE')) }),
  ),
  AdmissionregistrationWebhookClientConfig: all(
    exactlyOne(['service', 'url'], 'a webhook is in one place'),
    fields({ url: webhookUrl }),
  ),
  AdmissionregistrationServiceReference: fields({
    name: notEmpty,
    namespace: notEmpty,
    port: portNumber,
    path: webhookPath,
  }),
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
        findings.refuse({
          code: 'field-missing',
          says: 'has no matchConstraints.resourceRules',
          why: `${REFUSES}: it would be about nothing`,
          fix: 'add a rule',
        });
      }
      if (listIn(spec, 'validations').length > 0 || listIn(spec, 'auditAnnotations').length > 0) return;
      findings.refuse({
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
        findings.refuse({
          code: 'field-missing',
          says: 'has no policyName',
          why: `${REFUSES}: it binds a policy`,
          fix: 'add the policyName',
        });
      } else findings.at('policyName', own(spec, 'policyName'), dnsSubdomain);
      const actions = listIn(spec, 'validationActions');
      if (actions.length === 0) {
        findings.refuse({
          code: 'field-missing',
          says: 'has no validationActions',
          why: `${REFUSES}: it would do nothing`,
          fix: 'add Deny',
        });
      }
      if (actions.includes('Deny') && actions.includes('Warn')) {
        findings.refuse(
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
            findings.refuse({
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

function variableName(value: unknown, findings: Parameters<Check>[1]): void {
  if (typeof value === 'string' && IDENTIFIER.test(value) && !RESERVED.has(value)) return;
  findings.refuseValue(value, `${REFUSES}: it is no identifier`, 'write a name of letters, digits and "_"');
}
