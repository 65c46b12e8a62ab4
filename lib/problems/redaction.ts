import { SECRET_NAMES } from './secret-names';
import { encodedKeysIn, isCredential } from './secret-texts';

const HIDDEN_KEY = '<private key>';
const HIDDEN_LOGIN = '<credentials>';

/** A key in PEM, also where line ends are escaped, or one that is cut off. */
const PEM_KEY =
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g;
const PEM_END = /-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/;
/** The characters of the lines of a key, their ends included, however these are escaped. */
const PEM_BODY = /[A-Za-z0-9+/=\\\s]/;

/** The login in a URL, also where the password has a slash or an `@`, and after a text that is cut off. */
const URL_LOGIN = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/?#"'`<>\\]*|[^\s/:@"'`<>\\]*:(?!\d+\/)[^\s"'`<>]*)@/gi;
/** The same without a scheme: `user:password@host`, but not `image:tag@sha256:…`. */
const BARE_LOGIN = /(^|[\s"'`=(,/])([\w.%+-]+):([^\s"'`/:@]+)@(?!sha\d+:)(?=[\w.-])/g;
const QUERY_SECRET = /([?&](?:[\w-]*token|api[_-]?key|password|passwd|secret|sig|signature)=)[^&\s"'#<>]+/gi;

/** A value that stands after a key that says that it is secret: `values.smtp.password is "…"`, `"token":"…"`. */
const NAMED_SECRET = new RegExp(
  `(${SECRET_NAMES}["'\\]]*(?:\\s+(?:is(?: no \\w+ but)?|to|make it)|\\s*[:=])\\s*)("(?:[^"\\\\]|\\\\.)*(?:"|$)|'[^']*(?:'|$)|-?\\d[\\d.]*)`,
  'gi',
);

/** The same without quotes, as in command lines and environments: `password=…`. */
const ASSIGNED_SECRET = new RegExp(`(${SECRET_NAMES}=)[^\\s"'&<>\`,;)]+`, 'gi');

/** The value of the header by which HTTP authorizes, also where it is all of a text, as in a variable. */
const AUTHORIZATION =
  /(\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic)\s+|^(?:bearer|basic)\s+(?=\S{16,}$))(?!<)[^\s"'`<>]+/gi;

/** A token that tells by its beginning that it is one. */
const TOKEN =
  /\b(?:gh[a-z]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|gl(?!obal-)[a-z]{2,5}-[\w-]{20,}|xox[a-z]-[\w-]{10,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|AKIA[A-Z0-9]{16}\b|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]*)/g;

/**
 * A text without private keys, credentials in URLs and values that are called passwords or tokens. All that is said to
 * people passes here (problems, warnings, exceptions, the command line): it ends up in the logs of CI.
 */
export function redact(text: string): string {
  return withoutNamedSecrets(withoutLogins(withoutKeys(text)));
}

function withoutKeys(text: string): string {
  let clean = text.replace(PEM_KEY, HIDDEN_KEY);
  for (let end = PEM_END.exec(clean); end !== null; end = PEM_END.exec(clean)) {
    let start = end.index;
    while (start > 0 && PEM_BODY.test(clean[start - 1] ?? '')) start -= 1;
    clean = `${clean.slice(0, start)}${HIDDEN_KEY}${clean.slice(end.index + end[0].length)}`;
  }
  for (const run of encodedKeysIn(clean)) clean = clean.replace(run, HIDDEN_KEY);
  return clean;
}

function withoutLogins(text: string): string {
  if (!text.includes('@') && !text.includes('=')) return text;
  return text
    .replace(URL_LOGIN, (whole, scheme: string, login: string) =>
      isShown(scheme, login) ? whole : `${scheme}${HIDDEN_LOGIN}@`,
    )
    .replace(BARE_LOGIN, (_, before: string) => `${before}${HIDDEN_LOGIN}@`)
    .replace(QUERY_SECRET, `$1${HIDDEN_LOGIN}`);
}

/** A user name that is one (`ssh://git@…`), or one whose password is left out already (`https://ci:…@`). */
function isShown(scheme: string, login: string): boolean {
  if (login === '' || login.startsWith(HIDDEN_LOGIN)) return true;
  const [user = '', password, ...more] = login.split(':');
  if (isCredential(user) || more.length > 0) return false;
  return password === undefined ? !/^https?:/i.test(scheme) : password === '…';
}

function withoutNamedSecrets(text: string): string {
  return text
    .replace(NAMED_SECRET, '$1<hidden>')
    .replace(ASSIGNED_SECRET, '$1<hidden>')
    .replace(AUTHORIZATION, `$1${HIDDEN_LOGIN}`)
    .replace(TOKEN, HIDDEN_LOGIN);
}

/** The three parts of a problem. */
type Told = readonly [what: string, why: string, fix: string];

/** The texts that a remedy proposes to write. */
const PROPOSAL = /"[^"]*"/g;

/**
 * The parts of a problem without secrets, one by one: nobody knows where a key ends that is cut off. A remedy of what has
 * a secret in it proposes nothing that may be made of the secret, in other letters for instance.
 */
export function redactTold([what, why, fix]: Told): Told {
  const clean = redact(what);
  const remedy = redact(fix);
  return [clean, redact(why), clean === what ? remedy : remedy.replace(PROPOSAL, '"…"')];
}
