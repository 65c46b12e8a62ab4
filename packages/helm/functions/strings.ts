import { checkLength, invoke } from '../go/budget';
import { define, defineVariadic } from '../go/define';
import { byteLength, stringOf } from '../go/go-string';
import { goPrint } from '../go/print';
import { quote as quoteGo } from '../go/quote';
import { elementsOf, isGoObject } from '../go/reflect';
import { bytesIn, stringList, stringMap } from '../go/typed-values';
import { isSpace, titleRune, toLower, toUpper, trimSpace } from '../go/unicode';
import { sliceBytes } from '../go/utf8';
import type { Budget, GoFunction, GoFunctions, GoValue } from '../go/values';
import { FunctionError } from '../go/values';
import { camelCase, separatedCase } from './cases';
import { abbreviate, initials, swapCase, untitle, withoutSpaces, wrap } from './words';

/** Converts a value to text as sprig's functions do: by its `String` method, if its type has one. */
export function textOfValue(value: GoValue, budget: Budget): string {
  if (typeof value === 'string') return value;
  if (isGoObject(value)) {
    const method = value.methods.get('String');
    const text = method === undefined ? undefined : invoke(method, [], budget);
    if (typeof text === 'string') return text;
    if (value.goType === '[]uint8') return stringOf(bytesIn(value) ?? new Uint8Array());
  }
  return goPrint(value ?? null, budget);
}

/** Converts a list of any type to texts, without nil elements. Any other value counts as a list of one element. */
export function textsOfValue(value: GoValue, budget: Budget): string[] {
  const elements = elementsOf(value) ?? [value];
  budget.spend(elements.length);
  return elements
    .filter((element) => element !== null && element !== undefined)
    .map((element) => textOfValue(element, budget));
}

const repeat = define(['int', 'string'], ([count, text]) => {
  if (count < 0) throw new FunctionError('strings: negative Repeat count');
  checkLength(count * text.length);
  return text.repeat(count);
});

const trimAll = define(['string', 'string'], ([cutset, text]) => {
  const cut = new Set(cutset);
  const characters = [...text];
  const start = characters.findIndex((character) => !cut.has(character));
  if (start < 0) return '';
  const end = characters.findLastIndex((character) => !cut.has(character));
  return characters.slice(start, end + 1).join('');
});

const indentBy = (count: number, text: string): string => {
  if (count < 0) throw new FunctionError('strings: negative Repeat count');
  const lines = text.split('\n');
  checkLength(text.length + count * lines.length);
  const pad = ' '.repeat(count);
  return pad + lines.join(`\n${pad}`);
};

const trunc = define(['int', 'string'], ([count, text]) => {
  const length = byteLength(text);
  if (count < 0 && length + count > 0) return sliceBytes(text, length + count, length);
  if (count >= 0 && length > count) return sliceBytes(text, 0, count);
  return text;
});

const substr = define(['int', 'int', 'string'], ([start, end, text]) => {
  const length = byteLength(text);
  if (start < 0) return sliceBytes(text, 0, end);
  return sliceBytes(text, start, end < 0 || end > length ? length : end);
});

const replace = define(['string', 'string', 'string'], ([old, replacement, text]) => {
  const parts = old === '' ? ['', ...text, ''] : text.split(old);
  checkLength(text.length + replacement.length * parts.length);
  return parts.join(replacement);
});

/** Splits a text; an empty separator splits into characters. */
function splitText(text: string, separator: string, count: number): string[] {
  if (count === 0) return [];
  const parts = separator === '' ? [...text] : text.split(separator);
  if (count < 0 || parts.length <= count) return parts;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)];
}

function numbered(parts: readonly string[]): GoValue {
  return stringMap(new Map(parts.map((part, i) => [`_${i}`, part])));
}

function present(values: readonly GoValue[]): GoValue[] {
  return values.filter((value) => value !== null);
}

const cat = defineVariadic([], 'any', (_, values, budget) => {
  const texts = present(values).map((value) => goPrint(value, budget));
  checkLength(texts.reduce((length, text) => length + text.length + 1, 0));
  return texts.join(' ');
});

const quote = defineVariadic([], 'any', (_, values, budget) => {
  const texts = present(values).map((value) => textOfValue(value, budget));
  checkLength(texts.reduce((length, text) => length + text.length + 3, 0));
  return texts.map((text) => quoteGo(text)).join(' ');
});

const squote = defineVariadic([], 'any', (_, values, budget) => {
  const texts = present(values).map((value) => `'${goPrint(value, budget)}'`);
  checkLength(texts.reduce((length, text) => length + text.length + 1, 0));
  return texts.join(' ');
});

const join = define(['string', 'any'], ([separator, list], budget) => {
  const texts = list === null ? [] : textsOfValue(list, budget);
  checkLength(texts.reduce((length, text) => length + text.length + separator.length, 0));
  return texts.join(separator);
});

const title = define(['string'], ([text]) => {
  let isStart = true;
  let titled = '';
  for (const character of text) {
    titled += isStart ? titleRune(character) : character;
    isStart = isWordSeparator(character);
  }
  return titled;
});

/** Whether a character ends a word in Go's deprecated `strings.Title`. */
function isWordSeparator(character: string): boolean {
  if (character <= '\u007f') return !/[A-Za-z0-9_]/.test(character);
  return !/[\p{L}\p{Nd}]/u.test(character) && isSpace(character);
}

function oneText(change: (text: string) => GoValue): GoFunction {
  return define(['string'], ([text]) => change(text));
}

/** Defines a function that splits a text into words. It tests each character several times, so it pays for the length. */
function ofWords(change: (text: string) => string): GoFunction {
  return define(['string'], ([text], budget) => {
    budget.spend(text.length);
    return change(text);
  });
}

function twoTexts(change: (first: string, second: string) => GoValue): GoFunction {
  return define(['string', 'string'], ([first, second]) => change(first, second));
}

const texts: Readonly<Record<string, GoFunction>> = {
  hello: define([], () => 'Hello!'),
  trim: oneText(trimSpace),
  upper: oneText((text) => toUpper(text)),
  lower: oneText((text) => toLower(text)),
  title,
  untitle: oneText((text) => untitle(text)),
  substr,
  trunc,
  repeat,
  trimall: trimAll,
  trimAll,
  trimSuffix: twoTexts((end, text) => (text.endsWith(end) ? text.slice(0, text.length - end.length) : text)),
  trimPrefix: twoTexts((start, text) => (text.startsWith(start) ? text.slice(start.length) : text)),
  contains: twoTexts((part, text) => text.includes(part)),
  hasPrefix: twoTexts((start, text) => text.startsWith(start)),
  hasSuffix: twoTexts((end, text) => text.endsWith(end)),
  replace,
  indent: define(['int', 'string'], ([count, text]) => indentBy(count, text)),
  nindent: define(['int', 'string'], ([count, text]) => `\n${indentBy(count, text)}`),
  plural: define(['string', 'string', 'int'], ([one, many, count]) => (count === 1 ? one : many)),
};

const words: Readonly<Record<string, GoFunction>> = {
  nospace: oneText((text) => withoutSpaces(text)),
  initials: oneText((text) => initials(text)),
  swapcase: oneText((text) => swapCase(text)),
  abbrev: define(['int', 'string'], ([width, text]) => (width < 4 ? text : abbreviate(text, 0, width))),
  abbrevboth: define(['int', 'int', 'string'], ([offset, width, text]) =>
    width < 4 || (offset > 0 && width < 7) ? text : abbreviate(text, offset, width),
  ),
  snakecase: ofWords((text) => separatedCase(text, '_')),
  kebabcase: ofWords((text) => separatedCase(text, '-')),
  camelcase: ofWords(camelCase),
  wrap: define(['int', 'string'], ([width, text]) => wrap(text, { width, separator: '\n', cuts: false })),
  wrapWith: define(['int', 'string', 'string'], ([width, separator, text]) =>
    wrap(text, { width, separator: separator === '' ? '\n' : separator, cuts: true }),
  ),
};

const parts: Readonly<Record<string, GoFunction>> = {
  cat,
  quote,
  squote,
  join,
  toString: define(['any'], ([value], budget) => textOfValue(value, budget)),
  toStrings: define(['any'], ([value], budget) => {
    if (isGoObject(value) && value.goType === '[]string') return value;
    return stringList(value === null ? [] : textsOfValue(value, budget));
  }),
  split: twoTexts((separator, text) => numbered(splitText(text, separator, -1))),
  splitn: define(['string', 'int', 'string'], ([separator, count, text]) =>
    numbered(splitText(text, separator, count)),
  ),
  splitList: twoTexts((separator, text) => stringList(splitText(text, separator, -1))),
};

/** Functions of texts. */
export const stringFunctions: GoFunctions = new Map(Object.entries({ ...texts, ...words, ...parts }));
