import { catalogue } from '#base/findings/catalogue';
import type { Named } from '#base/named';
import { didYouMean } from '#base/suggest';

const NO_EFFECT = 'It would have no effect';

/** The placeholder in generated programs for a value that the generator does not know. */
export const TODO = 'TODO';

const unlessTodo = (value: string, fix: string) =>
  /^"?TODO\b/.test(value) ? 'replace TODO with the value of the cluster' : fix;

const CRON_REFUSED = {
  severity: 'error',
  why: 'Kubernetes refuses it as the schedule of a CronJob, and sync windows of Argo CD have the same format',
  fix: 'write minute, hour, day of month, month and day of week ("25 */6 * * *"), or, for a CronJob, @hourly, @daily, @weekly, @monthly, @yearly or "@every 6h"; a time zone belongs in the field timeZone',
} as const;

const PLAIN_REMEDIES = {
  rewrite: 'replace it with plain data',
  text: 'correct the string',
  cycle: 'pass a copy without the cycle',
  hole: 'remove it from the list, or write null',
  depth: 'reduce the nesting',
  number: 'use a finite number',
  remove: 'remove it',
  getter: 'pass the value instead of the getter',
  BigInt: 'write it as a number, without the "n"',
  'large BigInt': 'write it as a string',
  Map: 'write a map: Object.fromEntries(…)',
  Set: 'write a list: [...set]',
  URL: 'write its href',
  RegExp: 'write its source',
  Date: 'write it as a string; in YAML, put it in quotes',
  Duration: 'write it as a string with its unit, such as "48h"',
  Size: 'write it as a string with its unit: size.asString()',
  Cron: 'write its expressionString',
  Buffer: 'write it as a string: buffer.toString("base64")',
  String: 'write a plain string',
  Number: 'write a plain number',
  Boolean: 'write true or false',
} as const;

/** What to do about a value that is not plain data. */
export type PlainRemedy = keyof typeof PLAIN_REMEDIES;

/** Whether there is a remedy for instances of a class of this name. */
export function isPlainRemedy(name: string): name is PlainRemedy {
  return Object.hasOwn(PLAIN_REMEDIES, name);
}

/** The characters of names in the formats of Kubernetes, by the title of the format. */
export const NAME_CHARACTERS = {
  'DNS label': 'lower-case letters, digits and "-", with a letter or digit at both ends',
  'DNS name': 'lower-case letters, digits, "-" and ".", with a letter or digit at both ends of each part',
  host: 'lower-case letters, digits, "-" and ".", with a letter or digit at both ends of each part',
  'wildcard host': '"*." once, at the start, and a DNS name after it',
  'label value': 'letters, digits, "-", "_" and ".", with a letter or digit at both ends',
  'DNS label of RFC 1035':
    'lower-case letters, digits and "-", with a letter at its start and a letter or digit at its end',
  key: 'letters, digits, "-", "_" and ".", with a letter or digit at both ends',
} as const;

/** The title of a format of names. */
export type NameFormTitle = keyof typeof NAME_CHARACTERS;

/** Findings about names, strings and values of all kinds, and about acknowledgements. */
export const KUBERNETES_FINDINGS = catalogue({
  'acknowledged-nothing': {
    severity: 'warning',
    what: ({ code }: { code: string }) => `The acknowledgement of "${code}" matches no warning`,
    why: 'The risk no longer exists; if it returned, the acknowledgement would hide it',
    fix: 'remove the acknowledgement',
  },
  'acknowledged-nothing/elsewhere': {
    severity: 'warning',
    what: ({ code, object }: { code: string; object: string }) =>
      `The acknowledgement of "${code}" has no effect on this object: its finding belongs to ${object}`,
    why: 'An annotation accepts only findings of its own object, so this finding is still reported',
    fix: ({ object }: { object: string }) => `move the annotation to ${object}`,
  },
  'acknowledgement-refused/unknown': {
    severity: 'error',
    what: ({ code }: { code: string }) => `There is no warning "${code}" to acknowledge`,
    why: 'The acknowledgement would have no effect',
    fix: ({ known }: { known: string }) => `copy the code from the report: one of ${known}`,
  },
  'acknowledgement-refused/rule': {
    severity: 'error',
    what: ({ code }: { code: string }) => `No rule has the code "${code}", which an annotation accepts`,
    why: 'The annotation has no effect, and the intended finding is still reported',
    fix: ({ similar }: { similar?: string | undefined }) =>
      `correct the code${didYouMean(similar)}; \`cdk8s-linkerd lint --list-rules\` prints all codes`,
  },
  'acknowledgement-refused/reason': {
    severity: 'error',
    what: ({ code }: { code: string }) => `The acknowledgement of "${code}" has no reason`,
    why: 'The next reader cannot tell whether the acknowledgement is still justified',
    fix: 'write why the risk is acceptable',
  },
  'address-refused/host': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is "${value}", not a host with an optional port`,
    why: 'The dashboard reads it as host:port, and adds http:// and a path itself',
    fix: ({ field, suggestion }: { field: string; suggestion: string }) => `write ${field} as "${suggestion}"`,
  },
  'wrong-type/class': {
    severity: 'error',
    what: ({ field, value, type }: Record<'field' | 'value' | 'type', string>) =>
      `${field} is ${value}, which is not a ${type}`,
    why: ({ type }: { type: string }) => `It needs an explicit unit and form, such as those of a ${type} of cdk8s`,
    fix: ({ type, example }: { type: string; example: string }) => `pass a ${type}, such as ${example}`,
  },
  'wrong-type/value': {
    severity: 'error',
    what: ({ path, value, expected }: Record<'path' | 'value' | 'expected', string>) =>
      `${path} is ${value}, not ${expected}`,
    why: 'A value of another type is ignored',
    fix: ({ expected }: { expected: string }) => `pass ${expected}, or remove it`,
  },
  'wrong-type/plain-data': {
    severity: 'error',
    what: ({ place, value }: { place: string; value: string }) => `${place} is ${value}`,
    why: 'Only strings, numbers, true, false, null, lists and maps can be written; anything else would be lost, or written as an empty map',
    fix: ({ remedy }: { remedy: PlainRemedy }) => PLAIN_REMEDIES[remedy] ?? PLAIN_REMEDIES.rewrite,
  },
  'cron-expression-refused/time-zone': {
    ...CRON_REFUSED,
    what: ({ field, expression }: { field: string; expression: string }) =>
      `${field} is "${expression}", which names a time zone`,
  },
  'cron-expression-refused/field-count': {
    ...CRON_REFUSED,
    what: ({ field, expression, count }: { field: string; expression: string; count: number }) =>
      `${field} is "${expression}", which has ${count} ${count === 1 ? 'field' : 'fields'} instead of five`,
  },
  'cron-expression-refused/shorthand': {
    ...CRON_REFUSED,
    what: ({ field, expression }: { field: string; expression: string }) =>
      `${field} is "${expression}", which is not a known shorthand`,
  },
  'cron-expression-refused/interval': {
    ...CRON_REFUSED,
    what: ({ field, expression, interval }: { field: string; expression: string; interval: string }) =>
      `${field} is "${expression}", in which "${interval}" is not a duration such as 6h or 1h30m`,
  },
  'cron-expression-refused/steps': {
    ...CRON_REFUSED,
    what: ({ field, expression, part, range }: Named<'field' | 'expression' | 'part' | 'range'>) =>
      `${field} is "${expression}", in which "${range}" (${part}) has more than one step`,
  },
  'cron-expression-refused/step': {
    ...CRON_REFUSED,
    what: ({ field, expression, part, range, step }: Named<'field' | 'expression' | 'part' | 'range' | 'step'>) =>
      `${field} is "${expression}", in which "${range}" (${part}) has the step "${step}", which is not a positive number`,
  },
  'cron-expression-refused/bounds': {
    ...CRON_REFUSED,
    what: ({ field, expression, part, range }: Named<'field' | 'expression' | 'part' | 'range'>) =>
      `${field} is "${expression}", in which "${range}" (${part}) has more than two bounds`,
  },
  'cron-expression-refused/value': {
    ...CRON_REFUSED,
    what: ({ field, expression, part, range }: Named<'field' | 'expression' | 'part' | 'range'>) =>
      `${field} is "${expression}", in which the ${part} is "${range}", neither a number nor a name`,
  },
  'cron-expression-refused/out-of-range': {
    ...CRON_REFUSED,
    what: ({
      field,
      expression,
      part,
      range,
      min,
      max,
    }: Named<'field' | 'expression' | 'part' | 'range'> & Readonly<Record<'min' | 'max', number>>) =>
      `${field} is "${expression}", in which the ${part} is "${range}", not from ${min} to ${max}`,
  },
  'cron-expression-refused/reversed': {
    ...CRON_REFUSED,
    what: ({ field, expression, part, range }: Named<'field' | 'expression' | 'part' | 'range'>) =>
      `${field} is "${expression}", in which "${range}" (${part}) ends before it starts`,
  },
  'duration-refused/go': {
    severity: 'error',
    what: ({ field, milliseconds }: { field: string; milliseconds: number }) =>
      `${field} is ${milliseconds} milliseconds long`,
    why: ({ most }: { most: number }) =>
      `Go programs read it, and Go stores durations in 64-bit nanoseconds: it must be a whole number of milliseconds, at most ${most} (292 years)`,
    fix: ({ field, example }: { field: string; example: string }) => `set ${field} to ${example}`,
  },
  'duration-refused/scrape-interval': {
    severity: 'error',
    what: 'monitoring.interval is 0',
    why: 'Prometheus treats 0 as if no interval were set',
    fix: 'remove the interval, or set it to a few seconds',
  },
  'reference-refused/group-kind': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}, not a group and a kind`,
    why: 'Argo CD compares it with the group and kind of each object: the AppProject would permit the wrong kind or none, and Argo CD would refuse to sync the object',
    fix: ({ example }: { example: string }) =>
      `write ${example}, with an empty group for the core group, and without a version`,
  },
  'reference-refused/name': {
    severity: 'error',
    what: ({ kind, text }: { kind: string; text: string }) => `A ${kind} is named ${text}`,
    why: 'A reference names an object by its namespace and its name',
    fix: "write the namespace, a slash and the name: 'shop/token'",
  },
  'url-refused': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is "${value}", not an http:// or https:// URL`,
    why: 'The program that reads it could not connect',
    fix: ({ field, value, suggestion }: Record<'field' | 'value' | 'suggestion', string>) =>
      unlessTodo(value, `write ${field} as "${suggestion}"`),
  },
  'credentials-found/url': {
    severity: 'error',
    what: ({ field, credentials }: { field: string; credentials: string }) => `${field} contains ${credentials}`,
    why: 'The output is committed to Git and applied to the cluster: everyone who can read either of them sees the credentials',
    fix: ({ url }: { url: string }) =>
      `write "${url}" and keep the credentials in a Secret; for Argo CD: https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/`,
  },
  'credentials-found/object': {
    severity: 'error',
    what: ({ path }: { path: string }) => `${path} has a password or a token`,
    why: 'The output is committed to Git: everyone who can read the repository could log in with them',
    fix: 'remove them, and read them from a Secret that is not in Git',
  },
  'image-refused': {
    severity: 'error',
    what: ({ field, image }: { field: string; image: string }) =>
      `${field} is "${image}", which is not a reference to an image`,
    why: 'The API server accepts any text, and the pods stay in InvalidImageName',
    fix: 'write it as registry/path/name:tag, with path and name in lower case, or with @sha256: and the digest',
  },
  'private-key-found/object': {
    severity: 'error',
    what: ({ path }: { path: string }) => `${path} has a private key`,
    why: 'The output is committed to Git: everyone who can read the repository, or its history, would have the key',
    fix: ({ kind }: { kind: string }) =>
      `remove it, and let cert-manager create the key in the cluster; or, if another tool creates the ${kind}, declare it: external: [{ kind: '${kind}', … }]`,
  },
  'part-missing': {
    severity: 'error',
    what: ({ path, value, expected }: Record<'path' | 'value' | 'expected', string>) =>
      `${path} is ${value}, not ${expected}`,
    why: 'The construct cannot be built without it',
    fix: ({ path, expected }: { path: string; expected: string }) => `pass ${expected} as ${path}`,
  },
  'part-missing/member': {
    severity: 'error',
    what: ({ path, value, expected }: Record<'path' | 'value' | 'expected', string>) =>
      `${path} is ${value}, not ${expected}`,
    why: 'The construct cannot be built without it',
    fix: ({ path, member }: { path: string; member: string }) => `pass its ${member} as ${path}`,
  },
  'option-unknown': {
    severity: 'error',
    what: ({ path }: { path: string }) => `${path} is not a known option`,
    why: NO_EFFECT,
    fix: ({ known }: { known: string }) => `remove it, or write one of ${known}`,
  },
  'option-unknown/meant': {
    severity: 'error',
    what: ({ path }: { path: string }) => `${path} is not a known option`,
    why: NO_EFFECT,
    fix: ({ meant }: { meant: string }) => `write ${meant}`,
  },
  'name-invalid': {
    severity: 'error',
    what: ({ field, value, form }: Record<'field' | 'value' | 'form', string>) => `${field} is ${value}, not a ${form}`,
    why: ({ form }: { form: NameFormTitle }) =>
      `Kubernetes refuses it: a ${form} consists of ${NAME_CHARACTERS[form] ?? 'the characters that its format allows'}`,
    fix: ({ value, proposed }: Record<'value' | 'proposed', string>) => unlessTodo(value, `write it as "${proposed}"`),
  },
  'name-invalid/length': {
    severity: 'error',
    what: ({ field, value, length }: { field: string; value: string; length: number }) =>
      `${field} is ${value}, which has ${length} characters`,
    why: ({ form, most }: { form: string; most: number }) =>
      `Kubernetes refuses it: a ${form} has at most ${most} characters`,
    fix: ({ proposed }: { proposed: string }) => `write it as "${proposed}" or use another name`,
  },
  'name-invalid/type': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}, not a string`,
    why: ({ form }: { form: string }) => `Kubernetes refuses it: a ${form} is a string`,
    fix: ({ example }: { example: string }) => `write it as a string: "${example}"`,
  },
  'name-invalid/address': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}, an IP address`,
    why: 'Kubernetes refuses it: the host of an Ingress is a DNS name',
    fix: 'write a DNS name that resolves to the address',
  },
  'name-invalid/first-letter': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is ${value}, which does not start with a letter`,
    why: 'Kubernetes refuses it: the name of a Service starts with a letter',
    fix: ({ proposed }: { proposed: string }) => `write it as "${proposed}", or use another name`,
  },
  'name-invalid/path-segment': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is ${value}, which cannot be a segment of a URL path`,
    why: 'Kubernetes refuses it: the name must not contain "/" or "%", or be "." or ".."',
    fix: 'use ":" or "-" instead of "/" and "%"',
  },
  'port-refused/number': {
    severity: 'error',
    what: ({ field, port }: { field: string; port: string }) =>
      `${field} is ${port}, not a whole number from 1 to 65535`,
    why: 'Kubernetes refuses it',
    fix: ({ field }: { field: string }) => `set ${field} to the port that the program listens on`,
  },
  'not-yaml': {
    severity: 'error',
    what: ({ message }: { message: string }) => message,
    why: 'It cannot be written as YAML',
    fix: 'replace it with plain data',
  },
});
