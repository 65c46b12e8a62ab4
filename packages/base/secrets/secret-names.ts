/** Words before `key` in names of secret keys: `ENCRYPTION_KEY`, `storage-key`; not `publicKey`. */
const KEYS = [
  ...['private', 'access', 'secret', 'api', 'encrypt(?:ion)?', 'decrypt(?:ion)?', 'crypt(?:o)?', 'sign(?:ing)?'],
  ...[
    'master',
    'account',
    'storage',
    'licen[cs]e',
    '(?<!authorized[-_.]?)ssh',
    'deploy(?:ment)?',
    'shared',
    'hmac',
    'jwt',
  ],
  ...[
    'session',
    'cookie',
    'auth',
    'app(?:lication)?',
    'admin',
    'write',
    'ingest',
    'webhook',
    '(?<![a-z])age',
    'gpg',
    'pgp',
    'tls',
  ],
  ...['(?<!client[-_.]?)ca', 'server', '(?<![a-z])wg', 'unseal', 'recovery', 'pre[-_.]?shared'],
];

/**
 * Suffixes of names with secret values, as part of a case-insensitive pattern. Exceptions: `bypass`,
 * `automountServiceAccountToken`, `nextPageToken`.
 */
export const SECRET_NAMES = `(?:${[
  'passw(?:or)?d',
  'passphrase',
  '(?<!by|com|tres|sur|over|under|(?<![a-z])proxy[-_]?)pass',
  'pwd',
  '(?<!ServiceAccount|page|continue|continuation|next|csrf)token',
  `(?:${KEYS.join('|')})[-_.]?key`,
  'key[-_]?pem',
  'key[-_]data',
  'client[-_]?secret',
  'credentials',
  'mnemonic',
  'htpasswd',
  'id_(?:rsa|dsa|ecdsa|ed25519)',
  'redis(?:cli)?[-_]auth',
].join('|')})`;

const NAME = new RegExp(`${SECRET_NAMES}$`, 'i');
const NAMES = new RegExp(`${SECRET_NAMES}s$|credentials$`, 'i');
/** Names of a secret, or of the Secret that contains it. Variables with such names contain the secret itself. */
const EITHER = /secret(?:[-_]?key)?$/i;
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;
const KEY_OR_FILE = /(?:key|pem|credentials|htpasswd|token|id_\w+)$/i;

/** A placeholder: `$(PASSWORD)`, `${PASSWORD}`, `%(password)s`, `{{ .Values.password }}`, `<token>`, `…`. */
const FILLED_IN =
  /^(?:\$\([\w.-]+\)|\$\{[\w.-]*\}|\$[A-Z_][A-Z0-9_]*|\{\{[^"'`]*\}\}|%\([\w.-]+\)s?|<[^<>]*>|\u2026|\*+)$/;
/** Stands for a password in documentation: its name, dots, or a part of a regular expression. */
const SAMPLE = new RegExp(
  [
    '^(?:(?:my|your|the|some|db)[-_ ]?)?(?:user(?:name)?|login|passw(?:or)?d|passphrase|pass|pwd?|secret|token|credentials?|api[-_]?key)$',
    '^(?:\\$.*|%?[{[(].*[)}\\]]|[*x.…_-]*)$|\\{\\{|EXAMPLE|\\[\\^|[.\\]][*+]|\\(\\?|\\\\[wdsS]',
  ].join('|'),
  'i',
);
const PATH = /^(?:file:\/\/|~?\/|\.{1,2}\/)[\w.@-]+(?:\/[\w.@-]+)+$/;

/** Whether a value with this name may be secret. */
export function isSecretName(name: string): boolean {
  return NAME.test(name) || NAMES.test(name) || EITHER.test(name) || /(?:^|[-_])auth$/i.test(name);
}

/** Whether a value is a secret by its name. */
export function isSecret(name: string, value: string): boolean {
  if (value.trim() === '' || /^(?:true|false|null|~|none|\[\]|\{\})$/i.test(value) || FILLED_IN.test(value))
    return false;
  if (/(?:^|[-_])auth$/i.test(name)) return isLogin(value);
  if (/authorization$/i.test(name)) return /^\S+\s+\S|^\S{16,}$/.test(value);
  if (EITHER.test(name) && !/client[-_]?secret$/i.test(name)) return VARIABLE.test(name) || !isName(value);
  if (!NAME.test(name) || /^(?:OLD)?PWD$/.test(name)) return false;
  return !(KEY_OR_FILE.test(name) && PATH.test(value));
}

/** Whether a name is that of a list of secrets. */
export function isNameOfSecrets(name: string): boolean {
  return NAMES.test(name);
}

/** Whether an argument is a flag, and the next argument its secret value: `--token x`. */
export function isSecretFlag(argument: unknown, value: unknown): boolean {
  if (typeof argument !== 'string' || typeof value !== 'string' || value.startsWith('-')) return false;
  return /^--?[\w.-]+$/.test(argument) && NAME.test(argument) && isSecret(argument, value);
}

/** Whether a value is a user and a password in base64, as in Docker's configuration. */
export function isLogin(value: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{4,}={0,2}$/.test(value)) return false;
  return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(value, 'base64').toString('latin1'));
}

/** Whether a value is a placeholder for a password, or an example from documentation. */
export function isPlaceholder(value: string): boolean {
  return FILLED_IN.test(value) || SAMPLE.test(value);
}

const TOKEN_PREFIX = /^(?:gh[a-z]_|github_pat_|gl(?!obal-)[a-z]{2,5}-|xox[a-z]-|ATBB|ATATT|eyJ|AKIA|hf_|npm_|pat-)/;

/** Whether the login of a URL is more than a user name: it has a password, or is a token. */
export function isCredential(login: string): boolean {
  const [user = '', ...password] = login.split(':');
  if (TOKEN_PREFIX.test(user) || (!user.includes('{') && isRandom(user))) return true;
  return password.length > 0 && !isPlaceholder(password.join(':'));
}

/** Whether a name or value looks generated: at least 16 letters and digits, mixed, in a row. */
export function isRandom(value: string): boolean {
  return value.split(/[^A-Za-z0-9]/).some((part) => part.length >= 16 && /\d/.test(part) && /[A-Za-z]/.test(part));
}

/** A word of a sentence, and words that are never a value: `a token: the one that …`. */
const WORD = /^[A-Za-z]?[a-z'-]+[.,:]?$/;
const FUNCTION_WORDS =
  /^(?:and|are|as|at|by|can|from|for|if|in|instead|is|must|not|of|on|or|that|the|then|to|was|when|which|with|without)$/i;

/** Whether a value is a word of a sentence that continues with `after`. */
export function isProse(value: string, after: string): boolean {
  return FUNCTION_WORDS.test(value) || (WORD.test(value) && /^ [A-Za-z][a-z'-]*(?:[ .,)]|$)/.test(after));
}

/**
 * Whether a value is the name of an object, as far as it can be distinguished from a secret: words, or a string without
 * digits.
 */
function isName(value: string): boolean {
  if (!/^(?:[a-z0-9-]+\/)?[a-z0-9](?:[-a-z0-9.]{0,100}[a-z0-9])?$/.test(value) || /^[0-9a-f-]{32,}$/.test(value))
    return false;
  return /[-.]/.test(value) || !/\d/.test(value);
}
