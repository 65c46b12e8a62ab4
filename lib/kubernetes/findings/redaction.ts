import { isSecret, SECRET_NAMES } from './secret-names';
import { encodedKeysIn, isCredential } from './secret-texts';

/** The kind of a hidden text. Messages show it instead: `<hidden>`. */
export type HiddenKind = 'hidden' | 'private key' | 'credentials';

/** Returns the replacement for a secret. */
export type Mark = (kind: HiddenKind, secret: string) => string;

const PLAIN: Mark = (kind) => `<${kind}>`;

/** A key in PEM, also with escaped line ends, or truncated. */
const PEM_KEY =
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g;
const PEM_END = /-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/;
/** The characters of the lines of a key, including their ends in any escaped form. */
const PEM_BODY = /[A-Za-z0-9+/=\\\s]/;

/** The login in a URL, also if the password contains a slash or an `@`, or the text is truncated. */
const URL_LOGIN = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/?#"'`<>\\]*|[^\s/:@"'`<>\\]*:(?!\d+\/)[^\s"'`<>]*)@/gi;
/** The same without a scheme: `user:password@host`, but not `image:tag@sha256:…`. */
const BARE_LOGIN = /(^|[\s"'`=(,/])([\w.%+-]+):([^\s"'`/:@]+)@(?!sha\d+:)(?=[\w.-])/g;
const QUERY_SECRET = /([?&](?:[\w-]*token|api[_-]?key|password|passwd|secret|sig|signature)=)[^&\s"'#<>]+/gi;

/** A value after a key with the name of a secret: `values.smtp.password is "…"`, `"token":"…"`. */
const NAMED_SECRET = new RegExp(
  `(${SECRET_NAMES}["'\\]]*(?:\\s+(?:is(?: no \\w+ but)?|to|make it)|\\s*[:=])\\s*)("(?:[^"\\\\]|\\\\.)*(?:"|$)|'[^']*(?:'|$)|(?<![\\w\\]]:)-?\\d[\\d.]*)`,
  'gi',
);

/** The same without quotes, as in command lines and environments: `password=…`. */
const ASSIGNED_SECRET = new RegExp(`(${SECRET_NAMES})=([^\\s"'&<>\`,;]+)`, 'gi');

/** The value of the HTTP authorization header, also as a whole text, as in a variable. */
const AUTHORIZATION =
  /(\bauthorization[\\"']*[\s:=,]+[\\"']*(?:(?:bearer|basic|token|apikey|digest|negotiate|splunk)\s+)?|^(?:bearer|basic)\s+(?=\S{16,}$))(?!(?:bearer|basic|token|apikey|digest|negotiate|splunk)\s)(?=[^\s"'`<>\\]{6,})(?!<)[^\s"'`<>\\]+/gi;

/** The start of a token of a recognizable format. */
const TOKEN = new RegExp(
  `\\b(?:${[
    'gh[a-z]_[A-Za-z0-9]{20,}|github_pat_\\w{20,}|gl(?!obal-)[a-z]{2,5}-[\\w-]{20,}|ATATT[\\w-]{20,}|ATBB[\\w-]{20,}',
    'xox[a-z]-[\\w-]{10,}|xapp-[\\w-]{20,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|pypi-[\\w-]{40,}|dckr_pat_[\\w-]{20,}',
    'A(?:KIA|SIA)[A-Z0-9]{16}\\b|AIza[\\w-]{35}|ya29\\.[\\w-]{20,}|dop_v1_[a-f0-9]{64}|shp[a-z]{2}_[a-f0-9]{32}',
    '[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|sk-(?:ant-|proj-)?[\\w-]{32,}|SG\\.[\\w-]{16,}\\.[\\w-]{16,}|NRAK-[A-Z0-9]{20,}',
    'hv[sbr]\\.[\\w-]{20,}|glsa_\\w{20,}|glc_[A-Za-z0-9+/=]{20,}|AGE-SECRET-KEY-1[A-Z0-9]{20,}',
    'eyJ[\\w-]{10,}\\.eyJ[\\w-]{10,}\\.[\\w-]*',
  ].join('|')})`,
  'g',
);

/** A URL to which anyone may post, because its path contains a secret. */
const HOOK =
  /(https:\/\/(?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks|[\w-]+\.webhook\.office\.com\/webhookb2|api\.telegram\.org)\/)[^\s"'<>`]+/gi;

/** Passwords in formats without a separator before them: password files, redis, SQL, XML and shell commands. */
const UNSIGNED: readonly RegExp[] = [
  /(\blogin\s+\S+\s+password\s+)[^\s<]\S*/gi,
  /(^[ \t]*(?:requirepass|masterauth)\s+["']?)[^\s"'<]+/gim,
  /(\b(?:identified\s+(?:with\s+\S+\s+)?by|password)\s+')[^'<]+(?=')/gi,
  new RegExp(`(<[\\w:.-]*${SECRET_NAMES}>)[^<>]+(?=</)`, 'gi'),
  /(\bcurl\b[^\n]{0,400}?\s(?:-u|--user)[\s=]+["']?[^\s:"']+:)[^\s"'<]+/g,
  /(\bsshpass\s+-p\s*)[^\s<]\S*/g,
  /((?<![\w.$-])[\w.-]{1,64}:)\$(?:apr1|[1256]|2[abxy]|argon2\w+|scrypt)\$[^\s"':]+/g,
];

/**
 * Returns a string without private keys, credentials in URLs, and values named as passwords or tokens. All text for
 * people passes through here (problems, warnings, exceptions, the command line): it is written to the logs of CI.
 *
 * @param mark - returns the replacement for a secret: by default its kind, the same for all secrets
 */
export function redact(text: string, mark: Mark = PLAIN): string {
  return withoutNamedSecrets(withoutLogins(withoutKeys(text, mark), mark), mark);
}

function withoutKeys(text: string, mark: Mark): string {
  let clean = text.replace(PEM_KEY, (key) => mark('private key', key));
  for (let end = PEM_END.exec(clean); end !== null; end = PEM_END.exec(clean)) {
    let start = end.index;
    while (start > 0 && PEM_BODY.test(clean[start - 1] ?? '')) start -= 1;
    const after = end.index + end[0].length;
    clean = `${clean.slice(0, start)}${mark('private key', clean.slice(start, after))}${clean.slice(after)}`;
  }
  for (const run of encodedKeysIn(clean)) clean = clean.replace(run, () => mark('private key', run));
  return clean;
}

function withoutLogins(text: string, mark: Mark): string {
  const hooks = text.includes('://') ? text.replace(HOOK, marked('credentials', mark)) : text;
  if (!hooks.includes('@') && !hooks.includes('=')) return hooks;
  return hooks
    .replace(URL_LOGIN, (whole, scheme: string, login: string) =>
      isShown(scheme, login) ? whole : `${scheme}${mark('credentials', login)}@`,
    )
    .replace(
      BARE_LOGIN,
      (_, before: string, user: string, password: string) => `${before}${mark('credentials', `${user}:${password}`)}@`,
    )
    .replace(QUERY_SECRET, marked('credentials', mark));
}

/** Replaces what follows the first group of a pattern. */
function marked(kind: HiddenKind, mark: Mark): (whole: string, before: string) => string {
  return (whole, before) => `${before}${mark(kind, whole.slice(before.length))}`;
}

/**
 * Whether a login can be shown: a real user name (`ssh://git@…`), or one with a redacted password (`https://ci:…@`).
 */
function isShown(scheme: string, login: string): boolean {
  if (login === '' || login.startsWith('<credentials')) return true;
  const [user = '', password, ...more] = login.split(':');
  if (isCredential(user) || more.length > 0) return false;
  return password === undefined ? !/^https?:/i.test(scheme) : password === '…';
}

function withoutNamedSecrets(text: string, mark: Mark): string {
  const named = text
    .replace(NAMED_SECRET, marked('hidden', mark))
    .replace(ASSIGNED_SECRET, (whole, name: string, value: string) =>
      isSecret(name, value) ? `${name}=${mark('hidden', value)}` : whole,
    )
    .replace(AUTHORIZATION, marked('credentials', mark))
    .replace(TOKEN, (token) => mark('credentials', token));
  return UNSIGNED.reduce((clean, pattern) => clean.replace(pattern, marked('hidden', mark)), named);
}

/** The three parts of a problem. */
type Told = readonly [what: string, why: string, fix: string];

/** The quoted strings in a fix. */
const PROPOSAL = /"[^"]*"/g;

/**
 * Redacts the parts of a problem one by one, because the end of a truncated key is unknown. If a part contains a
 * secret, the fix quotes nothing that may be derived from it, such as a different case.
 */
export function redactTold([what, why, fix]: Told): Told {
  const clean = redact(what);
  const remedy = redact(fix);
  return [clean, redact(why), clean === what ? remedy : remedy.replace(PROPOSAL, '"…"')];
}
