import {
  type FormatFlags,
  formatBytes,
  formatFloatVerb,
  formatInteger,
  formatQuoted,
  formatQuotedRune,
  formatRune,
  formatString,
  formatUnicode,
  pad,
} from './format';
import { GoInt } from './values';

/** Values without elements or fields. */
export type Scalar = string | number | boolean | GoInt;

/** Formats a scalar by a verb; undefined if the verb does not suit its type. */
export function formatScalar(value: Scalar, verb: string, flags: FormatFlags): string | undefined {
  if (typeof value === 'string') return formatText(value, verb, flags);
  if (typeof value === 'number') return formatNumber(value, verb, flags);
  if (value instanceof GoInt) return formatGoInt(value, verb, flags);
  return verb === 't' || verb === 'v' ? pad(String(value), flags) : undefined;
}

function formatText(value: string, verb: string, flags: FormatFlags): string | undefined {
  switch (verb) {
    case 'v':
      return flags.sharpV ? formatQuoted(value, flags) : formatString(value, flags);
    case 's':
      return formatString(value, flags);
    case 'q':
      return formatQuoted(value, flags);
    case 'x':
    case 'X':
      return formatBytes(value, verb, flags);
    default:
      return undefined;
  }
}

function formatNumber(value: number, verb: string, flags: FormatFlags): string | undefined {
  switch (verb) {
    case 'v':
      return formatFloatVerb(value, 'g', -1, flags);
    case 'b':
    case 'g':
    case 'G':
    case 'x':
    case 'X':
      return formatFloatVerb(value, verb, -1, flags);
    case 'f':
    case 'F':
      return formatFloatVerb(value, 'f', 6, flags);
    case 'e':
    case 'E':
      return formatFloatVerb(value, verb, 6, flags);
    default:
      return undefined;
  }
}

function formatGoInt({ value, type }: GoInt, verb: string, flags: FormatFlags): string | undefined {
  switch (verb) {
    case 'v':
      if (flags.sharpV && type.startsWith('u')) return formatInteger(value, 'x', { ...flags, sharp: true });
      return formatInteger(value, 'd', flags);
    case 'd':
    case 'b':
    case 'o':
    case 'O':
    case 'x':
    case 'X':
      return formatInteger(value, verb, flags);
    case 'c':
      return formatRune(value, flags);
    case 'q':
      return formatQuotedRune(value, flags);
    case 'U':
      return formatUnicode(value, flags);
    default:
      return undefined;
  }
}
