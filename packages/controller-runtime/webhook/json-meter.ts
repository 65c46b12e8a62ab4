/** Measures the part of a JSON text that has been read. */
export interface JsonMeter {
  /** The number of values, by the characters that start or separate them. */
  readonly values: number;
  /** The depth of the deepest value so far: 1 for the items of the outermost list or map. */
  readonly depth: number;
  push(bytes: Buffer): void;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `[` is 0x5b and `]` 0x5d; `{` and `}` differ from them in only one bit. */
const BRACKET_BITS = 0xdf;
const OPENS = 0x5b;
const CLOSES = 0x5d;

/**
 * Counts the values in a JSON text, at a fraction of the cost of parsing. Contents of strings do not count; for invalid
 * JSON, the result is arbitrary.
 */
export function createJsonMeter(): JsonMeter {
  let values = 0;
  let depth = 0;
  let deepest = 0;
  let isInText = false;
  let isEscaped = false;
  /** @returns where the string ends, or the bytes do */
  const skipText = (bytes: Buffer, start: number): number => {
    const from = isEscaped ? start + 1 : start;
    const quote = bytes.indexOf(QUOTE, from);
    const end = quote < 0 ? bytes.length : quote;
    const isOdd = backslashesBefore(end, bytes, from) % 2 === 1;
    isInText = quote < 0 || isOdd;
    isEscaped = quote < 0 && isOdd;
    return end;
  };
  const readStructure = (byte: number): void => {
    const bracket = byte & BRACKET_BITS;
    if (byte === QUOTE) isInText = true;
    else if (byte === COMMA) values += 1;
    else if (bracket === OPENS) {
      values += 1;
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (bracket === CLOSES) depth -= 1;
  };
  return {
    get values() {
      return values;
    },
    get depth() {
      return deepest;
    },
    push: (bytes) => {
      // By index: an iterator would take ten times as long.
      for (let index = 0; index < bytes.length; index += 1) {
        if (isInText) index = skipText(bytes, index);
        else readStructure(bytes[index] ?? 0);
      }
    },
  };
}

function backslashesBefore(place: number, bytes: Buffer, from: number): number {
  let count = 0;
  while (place - count > from && bytes[place - count - 1] === BACKSLASH) count += 1;
  return count;
}
