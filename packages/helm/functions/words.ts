import { checkLength } from '../go/budget';
import { byteLength, bytesOf, stringOf } from '../go/go-string';
import { isLatinSpace, isLower, isSpace, isUpper, lowerRune, titleRune, upperRune } from '../go/unicode';
import { sliceBytes } from '../go/utf8';

/** Changes the first letter of each word to lower case. */
export function untitle(text: string): string {
  let isStart = true;
  let changed = '';
  for (const character of text) {
    const isGap = isSpace(character);
    changed += isStart && !isGap ? lowerRune(character) : character;
    isStart = isGap;
  }
  return changed;
}

/** Swaps upper and lower case; a lower-case letter at the start of a word gets its title case. */
export function swapCase(text: string): string {
  let isAfterSpace = true;
  let swapped = '';
  for (const character of text) {
    if (isUpper(character) || /^\p{Lt}$/u.test(character)) {
      swapped += lowerRune(character);
      isAfterSpace = false;
    } else if (isLower(character)) {
      swapped += isAfterSpace ? titleRune(character) : upperRune(character);
      isAfterSpace = false;
    } else {
      swapped += character;
      isAfterSpace = isSpace(character);
    }
  }
  return swapped;
}

/** Returns the first character of each word. As in Go, each byte counts as a character, which shows beyond ASCII. */
export function initials(text: string): string {
  let isAfterSpace = true;
  let letters = '';
  for (const byte of bytesOf(text)) {
    const isGap = isLatinSpace(byte);
    if (isAfterSpace && !isGap) letters += String.fromCodePoint(byte);
    isAfterSpace = isGap;
  }
  return letters;
}

/** Removes white space. As in Go, each byte counts as a character, unless nothing is removed. */
export function withoutSpaces(text: string): string {
  const bytes = bytesOf(text);
  const kept = bytes.filter((byte) => !isLatinSpace(byte));
  return kept.length === bytes.length
    ? text
    : Buffer.from(kept.buffer, kept.byteOffset, kept.length).toString('latin1');
}

/** Shortens a text to a number of bytes, with `...` for omitted parts. */
export function abbreviate(text: string, offset: number, width: number): string {
  const length = byteLength(text);
  if (length <= width) return text;
  const room = width - 3;
  const from = length - Math.min(offset, length) < room ? length - room : Math.min(offset, length);
  if (from <= 4) return `${sliceBytes(text, 0, room)}...`;
  if (width < 7) return '';
  if (from + room < length) return `...${abbreviateRest(sliceBytes(text, from, length), room)}`;
  return `...${sliceBytes(text, length - room, length)}`;
}

function abbreviateRest(text: string, width: number): string {
  return width < 4 ? '' : abbreviate(text, 0, width);
}

interface Wrapping {
  readonly width: number;
  readonly separator: string;
  readonly cuts: boolean;
}

const SPACE = 0x20;

/** Breaks a text into lines of a number of bytes, between words. */
export function wrap(text: string, wrapping: Wrapping): string {
  const bytes = bytesOf(text);
  const width = Math.max(wrapping.width, 1);
  const lines: string[] = [];
  let offset = 0;
  let length = 0;
  while (bytes.length - offset > width) {
    if (bytes[offset] === SPACE) {
      offset++;
      continue;
    }
    const end = endOfLine(bytes, offset, { ...wrapping, width });
    lines.push(lineOf(bytes, offset, end.at));
    length += end.at - offset + wrapping.separator.length;
    checkLength(length);
    if (end.next === undefined) return lines.join(wrapping.separator);
    offset = end.next;
  }
  return [...lines, lineOf(bytes, offset, bytes.length)].join(wrapping.separator);
}

/** Returns the end of a line and the start of the next one; no start if the rest of the text is one word. */
function endOfLine(bytes: Buffer, offset: number, { width, cuts }: Wrapping): { at: number; next?: number } {
  const space = bytes.subarray(offset, offset + width + 1).lastIndexOf(SPACE);
  if (space >= 0) return { at: offset + space, next: offset + space + 1 };
  if (cuts) return { at: offset + width, next: offset + width };
  const following = bytes.indexOf(SPACE, offset + width);
  return following < 0 ? { at: bytes.length } : { at: following, next: following + 1 };
}

function lineOf(bytes: Buffer, start: number, end: number): string {
  return stringOf(bytes.subarray(start, end));
}
