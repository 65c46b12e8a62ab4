import { isIPv6 } from 'node:net';
import { isObject } from '#base/is-object';
import { isNetwork, type NetworkForm } from '#base/networks';
import { quantityOf } from '#base/quantity';
import { fits, isIpV4, isLabelKey, NAME_FORMS, type NameForm } from '../names';
import { type Check, invalid, invalidKey, invalidName, notSupported, type PlainValueRule, tooLong } from './check';

function form(nameForm: NameForm): Check {
  return (value, findings) => {
    if (typeof value !== 'string' || fits(value, nameForm)) return;
    findings.refuse(invalidName(value, nameForm));
  };
}

/** Accepts an empty text, which Kubernetes treats as absent. */
export function orEmpty(check: Check): Check {
  return (value, findings) => {
    if (value !== '') check(value, findings);
  };
}

/** Requires a string that matches a pattern. */
export function matching(pattern: RegExp, rule: PlainValueRule, maxLength = Number.POSITIVE_INFINITY): Check {
  return (value, findings) => {
    if (typeof value === 'string' && (value.length > maxLength || !pattern.test(value))) {
      findings.refuse(invalid(value, rule));
    }
  };
}

/** Requires one of several strings. */
export function oneOf(...texts: readonly string[]): Check {
  return (value, findings) => {
    if (typeof value === 'string' && !texts.includes(value)) {
      findings.refuse(notSupported(value, texts));
    }
  };
}

/** Requires a number in a range. */
export function between(min: number, max: number): Check {
  return (value, findings) => {
    if (typeof value !== 'number' || (value >= min && value <= max)) return;
    findings.refuse(
      max === Number.POSITIVE_INFINITY
        ? invalid(value, 'at-least', { least: min })
        : invalid(value, 'range', { least: min, most: max }),
    );
  };
}

export const dnsLabel = form(NAME_FORMS.dnsLabel);
export const dns1035Label = form(NAME_FORMS.dns1035Label);
export const dnsSubdomain = form(NAME_FORMS.dnsSubdomain);
export const labelValue = form(NAME_FORMS.labelValue);
export const notNegative = between(0, Number.POSITIVE_INFINITY);
export const positive = between(1, Number.POSITIVE_INFINITY);
export const portNumber = between(1, 65_535);
/** User and group ids have 31 bits, as in Linux. */
export const userId = between(0, 2 ** 31 - 1);
export const fileMode = between(0, 0o777);

export const notEmpty: Check = (value, findings) => {
  if (value === '') findings.refuse(invalid(value, 'empty'));
  if (Array.isArray(value) && value.length === 0) {
    findings.refuse(invalid(value, 'no-items'));
  }
};

/** The key of a label; resources, conditions and protocols have names of the same form. */
export const labelKey: Check = (value, findings) => {
  if (typeof value === 'string' && !isLabelKey(value)) findings.refuse(invalid(value, 'label-key'));
};

/** Labels: keys and values. */
export const labels: Check = (value, findings) => {
  for (const [key, text] of entriesOf(value)) {
    if (!isLabelKey(key)) findings.refuse(invalidKey('label-key'), key);
    else findings.at(key, text, labelValue);
  }
};

/** Maximum bytes of all annotations (k8s.io/apimachinery/pkg/api/validation, TotalAnnotationSizeLimitB). */
const MAX_ANNOTATIONS = 256 * 1024;

/** Checks the keys and the total size of annotations. */
export const annotations: Check = (value, findings) => {
  for (const [key] of entriesOf(value)) {
    // Unlike keys of labels, those of annotations may have upper-case letters in the prefix.
    if (!isLabelKey(key.toLowerCase())) {
      findings.refuse(invalidKey('label-key'), key);
    }
  }
  annotationSize(value, findings);
};

const annotationSize: Check = (value, findings) => {
  let size = 0;
  for (const [key, text] of entriesOf(value)) {
    size += Buffer.byteLength(key) + (typeof text === 'string' ? Buffer.byteLength(text) : 0);
  }
  if (size <= MAX_ANNOTATIONS) return;
  findings.refuseWhole(tooLong(size, MAX_ANNOTATIONS, 'bytes', 'annotations'));
};

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}

/** The names of ports: short, and not only digits (k8s.io/apimachinery/pkg/util/validation, IsValidPortName). */
const PORT_NAME = /^(?=.*[a-z])(?!.*--)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

export const portName = matching(PORT_NAME, 'port-name', 15);

/** The number or the name of a port. */
export const port: Check = (value, findings) => {
  if (typeof value === 'number') portNumber(value, findings);
  else portName(value, findings);
};

/** A count, or a share such as `25%`. */
export const intOrPercent: Check = (value, findings) => {
  if (typeof value === 'number') notNegative(value, findings);
  else PERCENT(value, findings);
};

const PERCENT = matching(/^[0-9]+%$/, 'number-or-percentage');

/** A count, or a share of at most `100%`. */
export const intOrPercentOfAll: Check = (value, findings) => {
  intOrPercent(value, findings);
  if (isPercent(value) && numberOf(value) > 100) {
    findings.refuse(invalid(value, 'over-all'));
  }
};

function isPercent(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9]+%$/.test(value);
}

/** Returns the number in a count or a share; 0 without one. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return isPercent(value) ? Number.parseInt(String(value), 10) : 0;
}

/** Returns the value of a quantity, written as a number or a string; undefined if it is invalid. */
export function quantityIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? quantityOf(value) : undefined;
}

export const notNegativeQuantity: Check = (value, findings) => {
  if ((quantityIn(value) ?? 0) < 0) {
    findings.refuse(invalid(value, 'quantity-negative'));
  }
};

/** Kubernetes accepts leading zeros in IPv4 addresses. */
function isIpAddress(text: string): boolean {
  return isIpV4(text) || (isIPv6(text) && !text.includes('%'));
}

export const ipAddress: Check = (value, findings) => {
  if (typeof value === 'string' && !isIpAddress(value)) {
    findings.refuse(invalid(value, 'ip-address'));
  }
};

/** Kubernetes accepts leading zeros in networks, too. */
export const NETWORK_FORM: NetworkForm = { zeros: true };

export const network: Check = (value, findings) => {
  if (typeof value === 'string' && !isNetwork(value, NETWORK_FORM)) {
    findings.refuse(invalid(value, 'network'));
  }
};

/** A name that is valid in a URL (k8s.io/apimachinery/pkg/api/validation/path). */
export const pathSegment: Check = (value, findings) => {
  if (typeof value === 'string' && (/[/%]/.test(value) || value === '.' || value === '..')) {
    findings.refuse(invalid(value, 'path-segment'));
  }
};

/** A relative path without `..`. */
export const pathBelow: Check = (value, findings) => {
  if (typeof value !== 'string' || !(value.startsWith('/') || hasBackstep(value))) return;
  findings.refuse(invalid(value, 'path-below'));
};

/** A relative path without `..` that does not begin with two dots, which the kubelet reserves. */
export const pathOfFile: Check = (value, findings) => {
  pathBelow(value, findings);
  if (typeof value === 'string' && value.startsWith('..') && !hasBackstep(value)) {
    findings.refuse(invalid(value, 'path-of-kubelet'));
  }
};

export const pathWithoutBacksteps: Check = (value, findings) => {
  if (typeof value === 'string' && hasBackstep(value)) {
    findings.refuse(invalid(value, 'path-backstep'));
  }
};

function hasBackstep(path: string): boolean {
  return path.split('/').includes('..');
}

/** The keys of ConfigMaps and Secrets (k8s.io/apimachinery/pkg/util/validation, IsConfigMapKey). */
export function isDataKey(key: string): boolean {
  return /^[-._a-zA-Z0-9]+$/.test(key) && key.length <= 253 && key !== '.' && !key.startsWith('..');
}

export const dataKey: Check = (value, findings) => {
  if (typeof value === 'string' && !isDataKey(value)) findings.refuse(invalid(value, 'data-key'));
};

/** Printable ASCII without "=": valid names of environment variables since Kubernetes 1.34. */
export const environmentName = matching(/^[ -<>-~]+$/, 'environment-name');

/** The name of a header (IsHTTPHeaderName). */
export const headerName = matching(/^[-A-Za-z0-9]+$/, 'header-name');
