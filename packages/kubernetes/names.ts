import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { KUBERNETES_FINDINGS, type NameFormTitle } from './findings/findings';

/** The format that Kubernetes requires of a name or another string. */
export interface NameForm {
  /** Name of the format in messages; `NAME_CHARACTERS` has its characters. */
  readonly title: NameFormTitle;
  readonly pattern: RegExp;
  readonly maxLength: number;
  readonly example: string;
  /** Returns a similar string for the fix, which may also be invalid. */
  readonly tidy: (value: string) => string;
}

const LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const QUALIFIED_NAME = '[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?';

// Forms and lengths are those of k8s.io/apimachinery/pkg/util/validation (v0.34).
const DNS_LABEL: NameForm = {
  title: 'DNS label',
  pattern: new RegExp(`^${LABEL}$`),
  maxLength: 63,
  example: 'my-name',
  tidy: (value) => value.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
};
const DNS_SUBDOMAIN: NameForm = {
  title: 'DNS name',
  pattern: new RegExp(`^${LABEL}(?:\\.${LABEL})*$`),
  maxLength: 253,
  example: 'my-name.example.com',
  tidy: (value) =>
    value
      .toLowerCase()
      .replace(/[^a-z0-9.]+/g, '-')
      .replace(/-*\.[-.]*/g, '.'),
};
const HOST: NameForm = {
  ...DNS_SUBDOMAIN,
  title: 'host',
  tidy: (value) => DNS_SUBDOMAIN.tidy(value.replace(/^[a-z]+:\/\//i, '').replace(/[:/].*$/, '')),
};
const WILDCARD_HOST: NameForm = {
  ...DNS_SUBDOMAIN,
  title: 'wildcard host',
  pattern: new RegExp(`^\\*\\.${LABEL}(?:\\.${LABEL})*$`),
  example: '*.example.com',
};
const LABEL_VALUE: NameForm = {
  title: 'label value',
  pattern: new RegExp(`^(?:${QUALIFIED_NAME})?$`),
  maxLength: 63,
  example: 'my-value',
  tidy: (value) => value.replace(/[^A-Za-z0-9_.]+/g, '-'),
};
const DNS_1035_LABEL: NameForm = {
  ...DNS_LABEL,
  title: 'DNS label of RFC 1035',
  pattern: /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/,
};
const KEY_NAME: NameForm = { ...LABEL_VALUE, title: 'key', pattern: new RegExp(`^${QUALIFIED_NAME}$`) };

/** Formats that several fields share. */
export const NAME_FORMS = {
  dnsLabel: DNS_LABEL,
  dns1035Label: DNS_1035_LABEL,
  dnsSubdomain: DNS_SUBDOMAIN,
  wildcardHost: WILDCARD_HOST,
  labelValue: LABEL_VALUE,
};

/** Kubernetes allows leading zeros in addresses (k8s.io/utils/net, ParseIPSloppy). */
const IPV4 = /^(?:0*(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** Whether a string is an IPv4 address. */
export function isIpV4(text: string): boolean {
  return IPV4.test(text);
}

/** Checks a DNS-1123 label: the names of namespaces, Services, containers and similar. */
export function checkDnsLabel(field: string, value: string): Problem[] {
  return checkForm(field, value, DNS_LABEL);
}

/** Checks a DNS-1123 subdomain: the names of most objects, and domains. */
export function checkDnsSubdomain(field: string, value: string): Problem[] {
  return checkForm(field, value, DNS_SUBDOMAIN);
}

/** Checks the host of an Ingress: a DNS name, or a wildcard such as `*.example.com`; no address, port or scheme. */
export function checkHost(field: string, value: string): Problem[] {
  if (isText(value) && IPV4.test(value)) {
    return [KUBERNETES_FINDINGS.nameInvalidAddress({ field, value: `"${value}"` })];
  }
  return checkForm(field, value, isText(value) && value.includes('*') ? WILDCARD_HOST : HOST);
}

/** Checks the value of a label. */
export function checkLabelValue(field: string, value: string): Problem[] {
  return checkForm(field, value, LABEL_VALUE);
}

/** Whether Kubernetes accepts a string as the key of a label: `checkLabelKey` without messages. */
export function isLabelKey(key: string): boolean {
  const slash = key.indexOf('/');
  return slash === -1
    ? fits(key, KEY_NAME)
    : fits(key.slice(0, slash), DNS_SUBDOMAIN) && fits(key.slice(slash + 1), KEY_NAME);
}

/** Checks the key of a label: a name, optionally after a DNS name and a slash. */
export function checkLabelKey(field: string, key: string): Problem[] {
  const slash = isText(key) ? key.indexOf('/') : -1;
  if (slash === -1) return checkForm(field, key, KEY_NAME);
  return [
    ...checkForm(`The prefix of ${field} "${key}"`, key.slice(0, slash), DNS_SUBDOMAIN),
    ...checkForm(`The name in ${field} "${key}"`, key.slice(slash + 1), KEY_NAME),
  ];
}

/**
 * Checks the key of an annotation: as for labels, but a prefix may have upper-case letters.
 */
export function checkAnnotationKey(field: string, key: string): Problem[] {
  if (!isText(key)) return checkForm(field, key, KEY_NAME);
  const prefix = key.slice(0, key.indexOf('/') + 1);
  return checkLabelKey(field, prefix.toLowerCase() + key.slice(prefix.length));
}

/** Checks the number of a port. */
export function checkPort(field: string, port: number): Problem[] {
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return [];
  return [KUBERNETES_FINDINGS.portRefusedNumber({ field, port: shownValue(port) })];
}

function checkForm(field: string, value: string, form: NameForm): Problem[] {
  if (fits(value, form)) return [];
  const { title, maxLength: most } = form;
  if (!isText(value)) {
    return [
      KUBERNETES_FINDINGS.nameInvalidType({ field, value: shownValue(value), form: title, example: form.example }),
    ];
  }
  const shown = { field, value: `"${value}"`, form: title, proposed: proposal(value, form) };
  return value.length > most
    ? [KUBERNETES_FINDINGS.nameInvalidLength({ ...shown, length: value.length, most })]
    : [KUBERNETES_FINDINGS.nameInvalid(shown)];
}

/** Whether a string has a format. */
export function fits(value: string, { maxLength, pattern }: NameForm): boolean {
  return isText(value) && value.length <= maxLength && pattern.test(value);
}

/** JavaScript may pass any value. */
function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Returns a similar string in a format, or an example of it. */
export function proposal(value: string, { tidy, maxLength, pattern, example }: NameForm): string {
  const similar = tidy(value)
    .replace(/^[-._]+/, '')
    .slice(0, maxLength)
    .replace(/[-._]+$/, '');
  return similar !== '' && pattern.test(similar) ? similar : example;
}
