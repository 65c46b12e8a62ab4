/** The place of a scalar. */
export interface ScalarPlace {
  /** Number of spaces before further lines of it. */
  readonly indent: number;
  /** The column of its line at which it starts. */
  readonly column: number;
  /** Tells whether it may go on in further lines, as no key may. */
  readonly mayFold: boolean;
}

/**
 * Characters that go-yaml writes as an escape: control characters, tabs among them, the byte order mark, and beyond
 * U+FFFF.
 */
export const UNPRINTABLE = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;

/** Column from which on go-yaml breaks a line at the next space. */
const WIDTH = 80;

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u00a0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** A text without quotes, broken at spaces where it is long. */
export function foldable(text: string, place: ScalarPlace): string {
  return folded([...text], place, (index, characters) => characters[index + 1] !== ' ');
}

export function quotedSingle(text: string, place: ScalarPlace): string {
  const characters = [...text].map((character) => (character === "'" ? "''" : character));
  const inner = folded(
    characters,
    { ...place, column: place.column + 1 },
    (index) => index > 0 && index < characters.length - 1 && characters[index + 1] !== ' ',
  );
  return `'${inner}'`;
}

export function quotedDouble(text: string, place: ScalarPlace): string {
  const characters = [...text].map(escaped);
  const inner = folded(
    characters,
    { ...place, column: place.column + 1 },
    (index) => index > 0 && index < characters.length - 1,
    // A space at the start of a line would be taken for indentation.
    (index) => (characters[index + 1] === ' ' ? '\\' : ''),
  );
  return `"${inner}"`;
}

function escaped(character: string): string {
  if (!UNPRINTABLE.test(character) && !/["\\\n\u2028\u2029]/.test(character)) return character;
  const short = ESCAPES[character];
  if (short !== undefined) return `\\${short}`;
  const code = character.codePointAt(0) ?? 0;
  const hexadecimal = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hexadecimal.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hexadecimal.padStart(4, '0')}` : `\\U${hexadecimal.padStart(8, '0')}`;
}

/** Breaks a line in the place of the first of some spaces, wherever the line is long and it may be broken. */
function folded(
  characters: readonly string[],
  { indent, column, mayFold }: ScalarPlace,
  mayBreak: (index: number, characters: readonly string[]) => boolean,
  afterBreak: (index: number) => string = () => '',
): string {
  let text = '';
  let position = column;
  let afterSpace = false;
  for (const [index, character] of characters.entries()) {
    const isSpace = character === ' ';
    if (isSpace && mayFold && !afterSpace && position > WIDTH && mayBreak(index, characters)) {
      const start = afterBreak(index);
      text += `\n${' '.repeat(indent)}${start}`;
      position = indent + start.length;
    } else {
      text += character;
      position += [...character].length;
    }
    afterSpace = isSpace;
  }
  return text;
}
