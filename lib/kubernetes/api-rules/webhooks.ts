import { fits, NAME_FORMS } from '../names';
import { exactlyOne } from './alternatives';
import { all, type Check, each, fields, has, invalid, object, required } from './check';
import type { RuleTable } from './rule-table';
import { between, dns1035Label, notEmpty, oneOf, pathSegment, portNumber } from './scalars';

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

/** The name of a webhook has a domain of its own. */
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

/** Rules of webhooks, and of the requests that they or policies are asked about. */
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
