import { quote, unquoteCharacter } from '../go/quote';

/** The value of a number constant in all types that can represent it, as in Go's ideal constants. */
export interface NumberConstant {
  readonly int?: bigint;
  /** Whether an unsigned integer represents it. */
  readonly isUint: boolean;
  readonly float: number;
  /** Whether it has the syntax of a float, and so is a float where no type is expected. */
  readonly isFloatSyntax: boolean;
}

/** Why a constant is refused. */
export interface BadConstant {
  readonly reason: string;
}

const UNSIGNED_INTEGER = /^(?:0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9]\d*)$/;
const DECIMAL_FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const HEX_FLOAT = /^([+-]?)0[xX]([\da-fA-F]*)\.?([\da-fA-F]*)[pP]([+-]?\d+)$/;

/** Reads a number constant. */
export function parseNumber(text: string): NumberConstant | BadConstant {
  if (text.endsWith('i')) return { reason: `complex numbers are not supported: ${quote(text)}` };
  const integer = parseInteger(text);
  const hasFloatSyntax = /[.eEpP]/.test(text) && !/^0[xX][^pP]+$/.test(text);
  if (integer !== undefined) {
    const int = BigInt.asIntN(64, integer) === integer ? integer : undefined;
    const isUint = integer >= 0n && !/^[+-]/.test(text);
    if (int !== undefined || (isUint && BigInt.asUintN(64, integer) === integer)) {
      return { int, isUint, float: Number(integer), isFloatSyntax: hasFloatSyntax };
    }
  }
  const float = parseFloatConstant(text);
  if (float === undefined) return { reason: `illegal number syntax: ${quote(text)}` };
  if (!/[.eEpP]/.test(text)) return { reason: `integer overflow: ${quote(text)}` };
  const isWhole = Number.isInteger(float) && Math.abs(float) < 2 ** 63;
  return { int: isWhole ? BigInt(float) : undefined, isUint: false, float, isFloatSyntax: hasFloatSyntax };
}

/** Reads a character constant with its quotes. */
export function parseCharacter(text: string): NumberConstant | BadConstant {
  const character = unquoteCharacter(text, 1, "'");
  if (character === undefined) return { reason: 'invalid syntax' };
  if (text.slice(character.end) !== "'") return { reason: `malformed character constant: ${text}` };
  return { int: BigInt(character.value), isUint: true, float: character.value, isFloatSyntax: false };
}

function parseInteger(text: string): bigint | undefined {
  const isNegative = text.startsWith('-');
  const unsigned = /^[+-]/.test(text) ? text.slice(1) : text;
  const digits = withoutUnderscores(unsigned);
  if (digits === undefined || !UNSIGNED_INTEGER.test(digits)) return undefined;
  const size = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
  return isNegative ? -size : size;
}

function parseFloatConstant(text: string): number | undefined {
  const digits = withoutUnderscores(text);
  if (digits === undefined) return undefined;
  const value = DECIMAL_FLOAT.test(digits) ? Number(digits) : parseHexFloat(digits);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

/** No binary exponent of a float64 has more digits. */
const MAX_EXPONENT_DIGITS = 6;

function parseHexFloat(text: string): number | undefined {
  const [, sign = '', whole = '', fraction = '', power = ''] = HEX_FLOAT.exec(text) ?? [];
  if (whole + fraction === '' || power.length > MAX_EXPONENT_DIGITS) return undefined;
  const mantissa = Number(`0x${whole}${fraction}`);
  const exponent = Number(power) - 4 * fraction.length;
  // Multiplied in two steps, because a single power may overflow although the product does not.
  const half = Math.trunc(exponent / 2);
  const size = mantissa * 2 ** half * 2 ** (exponent - half);
  return sign === '-' ? -size : size;
}

/** Removes the underscores between digits; undefined if there is an underscore elsewhere. */
function withoutUnderscores(text: string): string | undefined {
  if (!text.includes('_')) return text;
  const isHex = /^[+-]?0[xX]/.test(text);
  const digit = isHex ? '[\\da-fA-F]' : '\\d';
  const separated = new RegExp(`(?<=${digit}|^[+-]?0[xXoObB])_(?=${digit})`, 'g');
  const digits = text.replace(separated, '');
  return digits.includes('_') ? undefined : digits;
}
