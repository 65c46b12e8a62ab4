import { byText } from '../remembered';
import { isBinaryKey } from './der-keys';
import { FORMS, type Match, PEM_START, type SecretForm, type SecretKind } from './secret-forms';
import { isSecretName } from './secret-names';

/** Base64, possibly in lines of 64 or 76 characters, or hexadecimal. Shorter runs are words. */
const ENCODED =
  /(?<![A-Za-z0-9+/_-])(?=[A-Za-z0-9+/_-]{22})(?:(?:[A-Za-z0-9+/]{64}|[A-Za-z0-9+/]{76})(?:\s|\\n)+)*[A-Za-z0-9+/_-]{4,}={0,2}/g;
/** The marker of a key in base64 has three forms, depending on the number of bytes before it; three more in UTF-16. */
const KEY_IN_BASE64 = new RegExp(
  ['PRIVATE KEY', [...'PRIVATE KEY'].join('\0')]
    .flatMap((text) => ['', '\0', '\0\0'].map((before) => Buffer.from(`${before}${text}`)))
    .map((bytes, index) => bytes.toString('base64').slice([0, 2, 3][index % 3], Math.floor((bytes.length * 4) / 3)))
    .join('|'),
);
const HEX = /^(?:[\da-f]{2}){24,}$/i;
/** Longer strings are programs and archives. Decoding them for each cluster would be slow. */
const MAX_DECODED = 100_000;
const MAX_LAYERS = 3;
const READABLE = /^[\t\n\r\x20-\x7e\x80-\xff]+$/;

/** A secret in a text: from `start` to `end`, exclusive. */
export interface SecretSpan {
  readonly is: SecretKind;
  readonly start: number;
  readonly end: number;
}

const NONE: readonly SecretSpan[] = [];

/** The secrets to search for: `all` that a message must not show, or those `refused` in Git. */
export type Wanted = 'all' | 'refused';

const REFUSED_FORMS = FORMS.filter(({ refused }) => refused !== false);
/** Texts below this length are searched by two words only. Nearly all longer texts match no `MARK`. */
const SHORT = 20;
const MARK = new RegExp(
  [
    ...REFUSED_FORMS.map(({ hint }) => hint?.source),
    '[A-Za-z0-9+/]{28}|^[\\w+/=-]+\\n[\\w+/=\\s-]+$|[\\w-]{60}|[\\\\\\0]|^0|^openssh-key|^\\xfe\\xed',
  ]
    .filter((source) => source !== undefined)
    .join('|'),
);

function mayBeRefused(text: string): boolean {
  return text.length < SHORT ? text.includes('@') || text.includes('auth') : MARK.test(text);
}

/** Returns the secrets in a text, in order and without overlap. */
export function secretSpans(text: string, wanted: Wanted, layers = MAX_LAYERS): readonly SecretSpan[] {
  if (text.length < 5 || (wanted === 'refused' && !mayBeRefused(text))) return NONE;
  const isUtf16Key = text.includes('\0') && PEM_START.test(text.replaceAll('\0', ''));
  if (isUtf16Key || isBinaryKey(text)) return [{ is: 'private key', start: 0, end: text.length }];
  const forms = wanted === 'all' ? FORMS : REFUSED_FORMS;
  const found = forms.flatMap((form) => (form.hint?.test(text) === false ? NONE : spansOf(form, text, wanted)));
  return apart([...encodedSpans(text, wanted, layers), ...quotedSpans(text, wanted, layers), ...found]);
}

function spansOf(form: SecretForm, text: string, wanted: Wanted): readonly SecretSpan[] {
  const { is, pattern, value, holds, refused } = form;
  const spans: SecretSpan[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const match = matchOf(found, text, value);
    if (match === undefined || match.secret === '' || holds?.(match) === false) continue;
    if (wanted === 'refused' && typeof refused === 'function' && !refused(match)) continue;
    spans.push({ is, start: match.end - match.secret.length, end: match.end });
    // Continues after the secret, and not within it, so that no part is read repeatedly.
    pattern.lastIndex = match.end;
  }
  return spans;
}

function matchOf(found: RegExpExecArray, text: string, value: RegExp | undefined): Match | undefined {
  const [whole, first = '', second = ''] = found;
  const { index: start } = found;
  const end = start + whole.length;
  if (value === undefined) {
    return { text, secret: whole.slice(first.length), before: first, name: second, start, end };
  }
  if (!isSecretName(first)) return undefined;
  value.lastIndex = end;
  const [secret] = value.exec(text) ?? [];
  return secret === undefined
    ? undefined
    : { text, secret, before: whole, name: first, start, end: end + secret.length };
}

function encodedSpans(text: string, wanted: Wanted, layers: number): readonly SecretSpan[] {
  if (layers === 0 || text.length < 24) return [];
  const isWhole = text.length < MAX_DECODED && /\s/.test(text) && /^[\w+/=\s-]+$/.test(text);
  const whole = isWhole ? secretIn(text, wanted, layers) : undefined;
  if (whole !== undefined) return [{ is: whole, start: 0, end: text.length }];
  return [...text.matchAll(ENCODED)].flatMap(({ 0: run, index }) => {
    const is = run.length < 24 ? undefined : secretInRun[wanted](`${layers}${run}`);
    return is === undefined ? [] : [{ is, start: index, end: index + run.length }];
  });
}

/** A string of JSON with escapes in it, possibly truncated. */
const JSON_STRING = /"(?:[^"\\]|\\.)*(?:"|$)/g;
const JSON_CHARACTER = /\\u[\da-f]{4}|\\.|[^\\]/gis;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** Finds secrets in strings of JSON, after it has removed their escapes. */
function quotedSpans(text: string, wanted: Wanted, layers: number): readonly SecretSpan[] {
  if (layers === 0 || !text.includes('\\')) return [];
  return [...text.matchAll(JSON_STRING)].flatMap(({ 0: quoted, index }) => {
    if (!quoted.includes('\\')) return [];
    const characters = [...quoted.slice(1).replace(/"$/, '').matchAll(JSON_CHARACTER)];
    const plain = characters.map(([character]) => unescaped(character)).join('');
    const placeOf = (at: number) => index + 1 + (characters[at]?.index ?? quoted.length - 2);
    return secretSpans(plain, wanted, layers - 1).map(({ is, start, end }) => {
      return { is, start: placeOf(start), end: placeOf(end) };
    });
  });
}

function unescaped(character: string): string {
  if (character.startsWith('\\u')) return String.fromCharCode(Number.parseInt(character.slice(2), 16));
  return character.startsWith('\\') ? (ESCAPES[character[1] ?? ''] ?? character.slice(1)) : character;
}

function secretIn(encoded: string, wanted: Wanted, layers: number): SecretKind | undefined {
  const all = /[\s\\]/.test(encoded) ? encoded.replace(/\s|\\n/g, '') : encoded;
  const hasMarker = KEY_IN_BASE64.test(all);
  if (all.length > MAX_DECODED && !hasMarker) return undefined;
  const starts = hasMarker ? [0, 1, 2, 3] : [0];
  const decoded = starts.map((start) => bytesOf(all.slice(start), 'base64'));
  for (const bytes of HEX.test(all) ? [...decoded, bytesOf(all, 'hex')] : decoded) {
    // Without the zeros of UTF-16.
    const plain = bytes.replaceAll('\0', '');
    if (isBinaryKey(bytes) || PEM_START.test(plain)) return 'private key';
    const [first] = READABLE.test(plain) ? secretSpans(plain, wanted, layers - 1) : [];
    if (first !== undefined) return first.is;
  }
  return undefined;
}

/** Cached by the number of layers and the run: most runs are names that repeat, such as labels. */
const secretInRun: Readonly<Record<Wanted, (run: string) => SecretKind | undefined>> = {
  all: byText((run) => secretIn(run.slice(1), 'all', Number(run[0]))),
  refused: byText((run) => secretIn(run.slice(1), 'refused', Number(run[0]))),
};

function bytesOf(text: string, encoding: 'base64' | 'hex'): string {
  return Buffer.from(text, encoding).toString('latin1');
}

function apart(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  if (spans.length < 2) return spans;
  const rank = new Map(spans.map((span, index) => [span, index]));
  const merged: SecretSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) {
      merged.push(span);
      continue;
    }
    const { is } = (rank.get(last) ?? 0) <= (rank.get(span) ?? 0) ? last : span;
    const both = { is, start: last.start, end: Math.max(last.end, span.end) };
    rank.set(both, Math.min(rank.get(last) ?? 0, rank.get(span) ?? 0));
    merged[merged.length - 1] = both;
  }
  return merged;
}

/** Returns a text with a replacement for each secret. */
export function replaceSecrets(
  text: string,
  spans: readonly SecretSpan[],
  replace: (is: SecretKind, secret: string) => string,
): string {
  const parts = spans.map(({ is, start, end }, index) => {
    return `${text.slice(spans[index - 1]?.end ?? 0, start)}${replace(is, text.slice(start, end))}`;
  });
  return `${parts.join('')}${text.slice(spans.at(-1)?.end ?? 0)}`;
}

/** Whether a text contains a private key in any form. */
export function holdsPrivateKey(text: string): boolean {
  return secretSpans(text, 'refused').some(({ is }) => is === 'private key');
}
