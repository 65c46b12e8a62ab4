import {
  isCredential,
  isLogin,
  isNameOfSecrets,
  isPlaceholder,
  isProse,
  isRandom,
  isSecret,
  SECRET_NAMES,
} from './secret-names';

/** The kind of a secret. `hidden`: only its name shows that it is secret. */
export type SecretKind = 'private key' | 'credentials' | 'hidden';

export interface SecretForm {
  readonly is: SecretKind;
  /** The secret is the rest of the match after the first group; with `value`, it follows the whole match. */
  readonly pattern: RegExp;
  /** Matches the value of the name in the first group, if that is the name of a secret. */
  readonly value?: RegExp;
  /** A text without it has no secret of this form. */
  readonly hint?: RegExp;
  /** Whether a match is a secret. @default - every match is */
  readonly holds?: (match: Match) => boolean;
  /** Whether it is a secret in any text, so that it must not be in Git. */
  readonly refused: boolean | ((match: Match) => boolean);
}

export interface Match {
  readonly text: string;
  readonly secret: string;
  /** The text that the pattern matched before the secret, and the name in it. */
  readonly before: string;
  readonly name: string;
  /** Where the match starts, and where the secret ends. */
  readonly start: number;
  readonly end: number;
}

const KEY = { is: 'private key', refused: true } as const;
const LOGIN = { is: 'credentials', refused: ({ secret }: Match) => isCredential(secret) } as const;
const PASSWORD = { is: 'credentials', refused: ({ secret }: Match) => !isPlaceholder(secret) } as const;
const HIDDEN = { is: 'hidden', refused: false } as const;

/** The type of a key in the first and last line of PEM, which YAML may have folded. */
const PEM_TYPE = '\\s+[A-Z0-9\\s]{0,40}PRIVATE\\s+KEY(?:\\s+BLOCK)?-----';
export const PEM_START = new RegExp(`-----BEGIN${PEM_TYPE}`);

/** A quoted string, possibly truncated, or with escaped quotes as in JSON within JSON. */
const QUOTED = [
  '"""[\\s\\S]*?(?:"""|$)',
  "'''[\\s\\S]*?(?:'''|$)",
  '"(?:[^"\\\\]|\\\\.)*(?:"|$)',
  "'[^']*(?:'|$)",
  '(?<escape>\\\\+)"[^\\n]*?(?:(?<!\\\\)\\k<escape>"|$)',
].join('|');
const NAME = `(?<![\\w.$/-])([\\w.$/-]*\\w)[\\\\"'\\]]*`;
/** A parameter of a URL. */
export const QUERY_SECRET = /([?&](?:[\w-]*token|api[_-]?key|password|passwd|secret|sig|signature)=)[^&\s"'#<>]+/gi;
/** A manifest of a Secret in a string, even one that cannot be parsed, such as a template. */
export const SECRET_MANIFEST = /\bkind\\*["']?[ \t]*:[ \t]*\\*["']?Secret(?:List)?\b/;
/** A placeholder that another program fills in. It may contain spaces and brackets. */
const FILLED = '(?:\\$[({][^\\s)}]*[)}]|%\\([\\w.-]+\\)s?|\\{\\{[^\\n}]*\\}\\})(?=[\\s"\',;)}\\]]|$)';
const SCHEMES = '(?:bearer|basic|token|apikey|digest|negotiate|splunk)';

/**
 * The forms of secrets in texts. If two secrets overlap, the first form determines the kind. Base64 and hexadecimal
 * texts are decoded first.
 */
export const FORMS: readonly SecretForm[] = [
  // Keys in PEM (RFC 7468, and the labels of RSA, EC, OPENSSH and PGP), with escaped line ends, or truncated.
  {
    ...KEY,
    hint: /PRIVATE\s+KEY/,
    pattern: new RegExp(`-----BEGIN${PEM_TYPE}[\\s\\S]*?(?:-----END${PEM_TYPE}|$)`, 'g'),
  },
  {
    ...KEY,
    // A key in PEM without its beginning: all characters that lines before the end may have.
    refused: false,
    hint: /PRIVATE\s+KEY/,
    pattern: new RegExp(`(?<![A-Za-z0-9+/=\\\\\\s])[A-Za-z0-9+/=\\\\\\s]*-----END${PEM_TYPE}`, 'g'),
  },
  // Keys of age, of minisign and signify (longer than their public keys and signatures), and of PuTTY.
  { ...KEY, hint: /AGE-SECRET-KEY-/, pattern: /\bAGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{20,}/g },
  { ...KEY, hint: /RW[QR]/, pattern: /(?<![A-Za-z0-9+/])RW[QR][A-Za-z0-9+/]{130,}={0,2}/g },
  { ...KEY, hint: /Private-Lines/, pattern: /(\bPrivate-Lines:\s*\d+)(?:[\s\\n]+[A-Za-z0-9+/=]{8,})+/g },
  {
    ...KEY,
    // Keys of 32 bytes, e.g. of WireGuard.
    hint: /(?:rivate|hared|RIVATE|HARED)[-_.]?(?:key|Key|KEY)/,
    pattern:
      /((?:private|pre-?shared)[-_.]?key[\\"']*\s*[:=]\s*[\\"']*)(?:[A-Za-z0-9+/]{43}=|(?:0x)?[\da-f]{64})(?![\w+/=])/gi,
  },
  {
    ...KEY,
    // The private members of a JSON Web Key (RFC 7518).
    hint: /\bkty\b/,
    pattern: /((?<![\w-])(?:d|p|q|dp|dq|qi|k)[\\"']*\s*[:=]\s*[\\"']*)[\w-]{16,}/g,
  },
  {
    ...KEY,
    // A key in the manifest of a Secret, in any encoding; not the path of a file.
    hint: /\bkind[\\"']*\s*:\s*[\\"']*(?:Secret|ConfigMap|List)/,
    pattern:
      /((?<![\w.-])(?:tls|ca)\.key[\\"']*\s*:[ \t]*(?:[|>][^\n]*\n\s*)?[\\"']*)(?!\/[a-z]+\/)[A-Za-z0-9+/=-]{4,}/g,
  },
  {
    // The login in a URL, even if the password contains a slash or an `@`.
    ...LOGIN,
    hint: /@/,
    pattern: /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/?#"'`<>\\]*|[^\s/:@"'`<>\\]*:(?!\d+\/)[^\s"'`<>]{0,500})(?=@)/gi,
    holds: ({ before, secret }) => !isShownLogin(before, secret),
    refused: ({ secret }) => !/[/?#\\]/.test(secret) && isCredential(secret),
  },
  // A data source name of Go, and URLs of JDBC.
  { ...LOGIN, hint: /@(?:tcp|unix|udp)\w*\(/, pattern: /(?<![\w.%+-])[\w.%+-]+:[^\s"'`]+(?=@(?:tcp|unix|udp)\w*\()/g },
  {
    ...PASSWORD,
    hint: /jdbc:/,
    pattern: /(\bjdbc:[^\s"'`<>]{0,300}?[?&;](?:\w*password|passwd|pwd)=)[^&;\s"'`<>]+/gi,
  },
  { ...PASSWORD, hint: /jdbc:/, pattern: /(\bjdbc:[a-z]+:[a-z]+:[^\s/@"'`<>]+\/)[^\s@"'`<>]+(?=@)/gi },
  // `user:password@host`, but not `image:tag@sha256:…`.
  { ...LOGIN, refused: false, hint: /@/, pattern: /(^|[\s"'`=(,/])[\w.%+-]+:[^\s"'`/:@]+(?=@(?!sha\d+:)[\w.-])/g },
  { ...PASSWORD, refused: false, hint: /[?&]/, pattern: QUERY_SECRET },
  {
    // Logins of Docker and npm, in base64.
    ...LOGIN,
    hint: /auth[\\"']*\s*[:=]/,
    pattern: /((?<![a-z])auth[\\"']*\s*[:=]\s*[\\"']*)[A-Za-z0-9+/_-]{4,}={0,2}/g,
    holds: ({ secret }) => isLogin(secret),
    refused: true,
  },
  {
    // The value of an Authorization header, also as a whole text, as in an environment variable.
    ...LOGIN,
    hint: /uthorization|UTHORIZATION|^[Bb](?:asic|earer)\s/,
    pattern: new RegExp(
      `(\\bauthorization[\\\\"']*[\\s:=,]+[\\\\"']*(?:${SCHEMES}\\s+)?|^(?:bearer|basic)\\s+(?=\\S{16,}$))(?!${SCHEMES}\\s)(?=[^\\s"'\`<>\\\\]{6,})(?!<)[^\\s"'\`<>\\\\]+`,
      'gi',
    ),
    holds: ({ before, secret }) =>
      /\d|[a-z][A-Z]/.test(secret) || (/[:=]/.test(before) && new RegExp(`${SCHEMES}\\s+$`, 'i').test(before)),
    refused: isBasicLogin,
  },
  {
    ...LOGIN,
    hint: /[Bb](?:asic|ASIC|earer|EARER)\s/,
    pattern: /(\b(?:bearer|basic)\s+)[\w.~+/-]{6,}={0,2}/gi,
    holds: ({ secret }) => /\d/.test(secret) || /[a-z][A-Z]/.test(secret),
    refused: isBasicLogin,
  },
  {
    ...HIDDEN,
    hint: /x-|token|cookie/i,
    pattern: /(\b(?:x-(?:[a-z]+-)*(?:key|token|secret|auth)|private-token|(?:set-)?cookie):[ \t]*)[^\s"'`<>]+/gi,
  },
  {
    // Tokens of a recognizable format.
    is: 'credentials',
    hint: /[\w-]{18}|eyJ|SG\./,
    pattern: new RegExp(
      `\\b(?:${[
        'gh[a-z]_[A-Za-z0-9]{20,}|github_pat_\\w{20,}|gl(?!obal-)[a-z]{2,5}-[\\w-]{20,}|ATATT[\\w-]{20,}|ATBB[\\w-]{20,}',
        'xox[a-z]-[\\w-]{10,}|xapp-[\\w-]{20,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|pypi-[\\w-]{40,}|dckr_pat_[\\w-]{20,}',
        'A(?:KIA|SIA)[A-Z0-9]{16}\\b|AIza[\\w-]{35}|ya29\\.[\\w-]{20,}|dop_v1_[a-f0-9]{64}|shp[a-z]{2}_[a-f0-9]{32}',
        '[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|sk-(?:ant-|proj-)?[\\w-]{32,}|SG\\.[\\w-]{16,}\\.[\\w-]{16,}|NRAK-[A-Z0-9]{20,}',
        'hv[sbr]\\.[\\w-]{20,}|glsa_\\w{20,}|glc_[A-Za-z0-9+/=]{20,}',
        'eyJ[\\w-]{10,}\\.eyJ[\\w-]{10,}\\.[\\w-]*',
      ].join('|')})`,
      'g',
    ),
    refused: ({ secret }) => !isPlaceholder(secret) && isRandom(secret),
  },
  {
    // A URL to which any client may post, because its path contains a secret.
    is: 'credentials',
    hint: /hooks\.slack|discord|webhook\.office|api\.telegram/,
    pattern:
      /(https:\/\/(?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks|[\w-]+\.webhook\.office\.com\/webhookb2|api\.telegram\.org)\/)[^\s"'<>`]+/gi,
    refused: ({ secret }) => isRandom(secret.split('/').at(-1) ?? ''),
  },
  // The data of a Secret in JSON and YAML, in which every value is secret.
  {
    ...HIDDEN,
    hint: SECRET_MANIFEST,
    pattern: /(\b(?:stringD|d)ata\\*"\s*:\s*\{)(?:[^{}]|\{[^{}]*\})+(?=\}|$)/g,
  },
  {
    ...HIDDEN,
    hint: SECRET_MANIFEST,
    pattern: /(^([ \t]*)(?:stringD|d)ata:[ \t]*\r?\n)(?:\2[ \t]+[^\n]*(?:\n|$))+/gm,
  },
  // A value after the name of a secret: `values.smtp.password is "…"`, `"token":"…"`, `PASSWORD=…`, `password: …`.
  {
    ...HIDDEN,
    pattern: new RegExp(`${NAME}\\s+(?:is(?: no \\w+ but)?|to|make it)\\s+`, 'gi'),
    value: new RegExp(`${QUOTED}|-?\\d[\\d.]*`, 'y'),
    holds: (match) => isNamed(match) && !/(?<!client[-_]?)secret$/i.test(match.name),
  },
  { ...HIDDEN, pattern: new RegExp(`${NAME}\\s*[:=]\\s*`, 'g'), value: new RegExp(QUOTED, 'y'), holds: isNamed },
  {
    ...HIDDEN,
    hint: /=/,
    pattern: new RegExp(`${NAME}[ \\t]*=(?![=~>])[ \\t]*`, 'g'),
    value: new RegExp(`${FILLED}|[^\\s"'&<>\`,;\\\\]+`, 'y'),
    holds: isNamed,
  },
  {
    // A block of YAML, or one word that is not the start of a sentence.
    ...HIDDEN,
    hint: /:/,
    pattern: new RegExp(`${NAME}(?:[ \\t]*:[ \\t]+|(?<=["'])\\s*:)`, 'g'),
    value: new RegExp(
      `[|>][-+\\d]*[ \\t]*\\r?\\n(?:[ \\t]+[^\\n]*(?:\\n|$))+|${FILLED}|(?![|>{[&*!])[^\\s"'<>\`,;(){}\\\\\\]]+`,
      'y',
    ),
    holds: (match) => isNamed(match) && !isProse(match.secret, match.text.slice(match.end, match.end + 40)),
  },
  {
    // A list of strings.
    ...HIDDEN,
    hint: /[[-]/,
    pattern: new RegExp(`${NAME}[ \\t]*:[ \\t]*`, 'g'),
    value: /\[[^\]{}]+\]|(?:\r?\n[ \t]*-[ \t]+[^\s:][^:\n]*(?=\n|$))+/y,
    holds: ({ name }) => isNameOfSecrets(name),
  },
  {
    // A line of YAML, INI, properties or a file of variables.
    ...HIDDEN,
    pattern:
      /^[ \t]*(?:#[ \t]*)?(?:export[ \t]+|set[ \t]+|- )?["']?([\w.$/-]*\w)["']?[ \t]*(?::[ \t]+|=(?![=~>])[ \t]*)["']*(?![|>][-+\d]*[ \t\r]*$)/gm,
    value: /[^\s"'].*?(?=["']*,?[ \t\r]*$)/my,
    holds: isNamed,
  },
  {
    // A flag and its value, in a command line or a list.
    ...HIDDEN,
    hint: /-/,
    pattern: new RegExp(
      `((?<![\\w-])(--?[\\w.-]{0,64}${SECRET_NAMES})(?:[ \\t]+|[\\\\"']+\\s*,\\s*[\\\\"']+|\\n[ \\t]*-[ \\t]+))(?![-<|&;$])(\\\\*"[^"\\n]*"?|'[^'\\n]*'?|[^\\s"'\\\\]+)`,
      'gi',
    ),
    holds: (match) => isNamed(match) && !isProse(match.secret, ''),
  },
  {
    // The members of a variable, a header or a parameter.
    ...HIDDEN,
    hint: /value|default/i,
    pattern:
      /\b(?:name|key|header)[\\"']*\s*:\s*[\\"']*([\w.-]+)[\\"']*\s*,?\s*[\\"']*(?:value|stringValue|default|defaultValue)[\\"']*\s*:\s*/g,
    value: new RegExp(`${QUOTED}|${FILLED}|[^\\s"'<>\`,;{}\\\\]+`, 'y'),
    holds: isNamed,
  },
  // Password files, redis, SQL, XML and shell commands, which have no separator before the password.
  { ...HIDDEN, hint: /password/i, pattern: /(\blogin\s+\S+\s+password\s+)[^\s<]\S*/gi },
  { ...HIDDEN, hint: /requirepass|masterauth/i, pattern: /(^[ \t]*(?:requirepass|masterauth)\s+["']?)[^\s"'<]+/gim },
  { ...HIDDEN, hint: /'/, pattern: /(\b(?:identified\s+(?:with\s+\S+\s+)?by|password)\s+')[^'<]+(?=')/gi },
  { ...HIDDEN, hint: /<\//, pattern: new RegExp(`(<[\\w:.-]*${SECRET_NAMES}>)[^<>]+(?=</)`, 'gi') },
  { ...HIDDEN, hint: /curl/, pattern: /(\bcurl\b[^\n]{0,400}?\s(?:-u|--user)[\s=]+["']?[^\s:"']+:)[^\s"'<]+/g },
  { ...HIDDEN, hint: /-p/, pattern: /(\bsshpass\s+-p\s*)[^\s<]\S*/g },
  { ...HIDDEN, hint: /-p/, pattern: /(\bmysql\w*\b[^\n|;]{0,200}?\s-p)[^\s"'<-]\S*/g },
  { ...HIDDEN, hint: /-p/, pattern: /(\b[a-z]+(?: registry)? login\b[^\n|;]{0,200}?\s-p[\s=]+)[^\s<-]\S*/g },
  {
    ...HIDDEN,
    hint: /:\$/,
    pattern: /((?<![\w.$-])[\w.-]{1,64}:)\$(?:apr1|[1256]|2[abxy]|argon2\w+|scrypt)\$[^\s"':]+/g,
  },
];

/** Whether the login of a URL can be shown: only a user (`ssh://git@…`), or a hidden password (`https://ci:…@`). */
function isShownLogin(scheme: string, login: string): boolean {
  const [user = '', password, ...more] = login.split(':');
  if (isCredential(user) || more.length > 0) return false;
  return password === undefined ? !/^https?:/i.test(scheme) : password === '…';
}

function isBasicLogin({ before, secret }: Match): boolean {
  return /basic\s*$/i.test(before) && isLogin(secret);
}

/** Whether a value is a secret by its name. Labels of Prometheus have such names, too, but their values are public. */
function isNamed({ text, start, end, before, name, secret }: Match): boolean {
  if (/authorization$/i.test(name) || !isSecret(name, secret.replace(/^[\\"']+|[\\"']+$/g, ''))) return false;
  const isLabel = /=\s*$/.test(before) && /^\s*[,}]/.test(text.slice(end, end + 8));
  return !(isLabel && /\w\{[^{}]*$/.test(text.slice(Math.max(0, start - 300), start)));
}
