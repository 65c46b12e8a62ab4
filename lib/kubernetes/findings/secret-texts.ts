import { isBinaryKey } from './der-keys';

/** The first line of a private key in PEM, of any algorithm (RFC 7468; RSA, EC, OPENSSH and PGP have their own). */
const PEM_KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/;

/** Three bytes are four characters of base64, so a string has three possible forms, depending on what precedes it. */
const BASE64_FORMS = ['PRIVATE K', 'IVATE KEY', 'RIVATE KE'].map((text) => Buffer.from(text).toString('base64'));
const BASE64_MARKER = new RegExp(BASE64_FORMS.join('|'));

/** A marker of keys that few strings contain, so that all others are scanned only once. */
const KEY_MARKER = new RegExp(['PRIVATE KEY(?: BLOCK)?-----', ...BASE64_FORMS].join('|'));

/** Characters of base64, including its URL form. */
const BASE64_RUN = /[A-Za-z0-9+/_-]{24,}/g;
/**
 * Base64 that begins with a sequence of DER, as a key without PEM does, with "openssh-key-v1", or like a key store of
 * Java.
 */
const BINARY_RUN = /(?<![A-Za-z0-9+/_-])(?:M[A-I]|b3BlbnNzaC1rZXktdjEA|[/_]u3[+-]7)[A-Za-z0-9+/_-]{38,}={0,2}/g;
/** The same bytes in hexadecimal. */
const BINARY_HEX = /^(?:30|feedfeed|6f70656e737368)[\da-f]{76,}$/i;
/** The same with white space; most strings soon contain other characters. */
const MAYBE_BASE64 = /^[\w+/=\s-]{32,}$/;
const ONLY_BASE64 = /^[A-Za-z0-9+/_-]{32,}={0,2}$/;

/** Longer strings are programs and archives, which would take long to decode for each cluster. */
const MOST_DECODED = 100_000;
const MOST_LAYERS = 3;

/**
 * Returns true for a text with a private key: in PEM, or in DER and other forms without armor; plain, in base64, or in
 * base64 twice.
 */
export function holdsPrivateKey(text: string, layers = MOST_LAYERS): boolean {
  if (text.length < 24) return false;
  if (showsPrivateKey(text) || isUnarmoredKey(text)) return true;
  if (text.length > MOST_DECODED || layers === 0) return false;
  if (!MAYBE_BASE64.test(text)) return false;
  // Text in lines is decoded as a whole, because a line may end within the marker of a key.
  const compact = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  if (!ONLY_BASE64.test(compact)) return false;
  return holdsPrivateKey(decoded(compact), layers - 1);
}

/** Returns true for a text, of any length, with a private key: in PEM, in DER in base64, or in PEM in base64. */
export function showsPrivateKey(text: string): boolean {
  return (KEY_MARKER.test(text) && PEM_KEY.test(text)) || encodedKeysIn(text).length > 0;
}

/** Returns the runs of base64 in a string that are a private key, in PEM or DER. */
export function encodedKeysIn(text: string): readonly string[] {
  const inPem = BASE64_MARKER.test(text) ? [...text.matchAll(BASE64_RUN)].map(([run]) => run).filter(isEncodedKey) : [];
  const inDer = [...text.matchAll(BINARY_RUN)].map(([run]) => run).filter((run) => isBinaryKey(decoded(run)));
  return [...inPem, ...inDer];
}

/** Returns true for a key in DER whose bytes are the characters of a string, or are there in hexadecimal. */
function isUnarmoredKey(text: string): boolean {
  return isBinaryKey(text) || (BINARY_HEX.test(text) && isBinaryKey(Buffer.from(text, 'hex').toString('latin1')));
}

/** The key may begin at any character, because other base64 characters may precede it. */
function isEncodedKey(run: string): boolean {
  return BASE64_MARKER.test(run) && [0, 1, 2, 3].some((start) => PEM_KEY.test(decoded(run.slice(start))));
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}

/** A URL up to the end of its login: the last `@` before its host. */
const URL_LOGIN = /\b([a-z][a-z0-9+.-]{0,20}):\/\/([^\s/?#"'`<>\\]*)@/gi;

/** A placeholder for a password: `$(PASSWORD)`, `${PASSWORD}`, `{{ .password }}`, `…`. */
const PLACEHOLDER = /^(?:\$.*|%?[{[(].*[)}\]]|.*\{\{.*|[*x.…_-]*)$/i;

/** Prefixes of tokens of Git hosts and others. */
const TOKEN_PREFIX = /^(?:gh[a-z]_|github_pat_|gl(?!obal-)[a-z]{2,5}-|xox[a-z]-|ATBB|ATATT|eyJ|AKIA|hf_|npm_|pat-)/;

/** Whether a string contains a URL with a password, or with a token as the user name. */
export function holdsUrlCredentials(text: string): boolean {
  if (!text.includes('@') || !text.includes('://')) return false;
  return [...text.matchAll(URL_LOGIN)].some(([, , login = '']) => isCredential(login));
}

/** Whether the login of a URL is more than a user name. */
export function isCredential(login: string): boolean {
  const colon = login.indexOf(':');
  const user = colon === -1 ? login : login.slice(0, colon);
  if (looksLikeToken(user)) return true;
  return colon !== -1 && !PLACEHOLDER.test(login.slice(colon + 1));
}

/** Whether a user name is a token: long, with digits among the letters. */
function looksLikeToken(user: string): boolean {
  if (TOKEN_PREFIX.test(user)) return true;
  return user.length >= 20 && /\d/.test(user) && /[A-Za-z]/.test(user) && !/[${]/.test(user);
}
