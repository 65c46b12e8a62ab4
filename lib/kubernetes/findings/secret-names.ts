/** Keys whose name says that they are secret: `ENCRYPTION_KEY`, `storage-key`; not `publicKey`. */
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
/** Names of several secrets. */
const NAMES = new RegExp(`${SECRET_NAMES}s$|credentials$`, 'i');
/** Names of a secret or of its Secret. Variables of such names contain the secret itself. */
const EITHER = /secret(?:[-_]?key)?$/i;
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;
/** Names of a key, or of its file. */
const KEY_OR_FILE = /(?:key|pem|credentials|htpasswd|token|id_\w+)$/i;

/** A placeholder for a value: `$(DB_PASS)`, `${DB_PASS}`, `{{ .Values.password }}`. */
const FILLED_IN = /^(?:\$\([\w.-]+\)|\$\{[\w.-]*\}|\$[A-Z_][A-Z0-9_]*|\{\{[^"'`]*\}\}|%\([\w.-]+\)s?|<[^<>]*>|…|\*+)$/;
const PATH = /^(?:file:\/\/|~?\/|\.{1,2}\/)[\w.@-]+(?:\/[\w.@-]+)+$/;

/** Returns true for a value that is a secret by its name. */
export function isSecret(name: string, value: string): boolean {
  if (value.trim() === '' || /^(?:true|false|null|~|none|\[\]|\{\})$/i.test(value) || FILLED_IN.test(value))
    return false;
  if (/(?:^|[-_])auth$/i.test(name)) return isLogin(value);
  if (/authorization$/i.test(name)) return /^\S+\s+\S|^\S{16,}$/.test(value);
  if (EITHER.test(name) && !/client[-_]?secret$/i.test(name)) return VARIABLE.test(name) || !isName(value);
  if (!NAME.test(name) || /^(?:OLD)?PWD$/.test(name)) return false;
  return !(KEY_OR_FILE.test(name) && PATH.test(value));
}

/** Returns true for the name of a list of secrets. */
export function isNameOfSecrets(name: string): boolean {
  return NAMES.test(name);
}

/** Returns true for an argument whose secret value is the next argument: `--token x`. */
export function isSecretFlag(argument: unknown, value: unknown): boolean {
  if (typeof argument !== 'string' || typeof value !== 'string' || value.startsWith('-')) return false;
  return /^--?[\w.-]+$/.test(argument) && NAME.test(argument) && isSecret(argument, value);
}

/** A user and a password in base64, as in Docker's configuration. */
function isLogin(value: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{4,}={0,2}$/.test(value)) return false;
  return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(value, 'base64').toString('latin1'));
}

/**
 * Returns true for the name of an object, as far as it can be distinguished from a secret: words, or a string without
 * digits.
 */
function isName(value: string): boolean {
  if (!/^(?:[a-z0-9-]+\/)?[a-z0-9](?:[-a-z0-9.]{0,100}[a-z0-9])?$/.test(value) || /^[0-9a-f-]{32,}$/.test(value))
    return false;
  return /[-.]/.test(value) || !/\d/.test(value);
}
