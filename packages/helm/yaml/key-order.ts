import type { GoYaml } from './resolve-scalar';

function isLetter(character: string): boolean {
  return /^\p{L}$/u.test(character);
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && /^\p{Nd}$/u.test(character);
}

function code(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Orders the keys of a mapping as go-yaml does: numbers inside of them by their values, other signs before letters. */
export function compareKeys(a: string, b: string, goYaml: GoYaml): number {
  const left = [...a];
  const right = [...b];
  const at = left.findIndex((character, i) => i < right.length && character !== right[i]);
  if (at < 0) return left.length - right.length;
  const [x = '', y = ''] = [left[at], right[at]];
  if (isLetter(x) && isLetter(y)) return code(x) - code(y);
  if (!isLetter(x) && !isLetter(y)) return compareNumbers(left, right, at);
  // Behind a digit, v3 has letters first.
  const lettersFirst = goYaml === 'v3' && isDigit(left[at - 1]);
  return isLetter(x) === lettersFirst ? -1 : 1;
}

function compareNumbers(left: readonly string[], right: readonly string[], at: number): number {
  const start = left[at] === '0' || right[at] === '0' ? (followsNumber(left, at) ? 1n : 0n) : 0n;
  const [leftValue, leftEnd] = numberAt(left, at, start);
  const [rightValue, rightEnd] = numberAt(right, at, start);
  if (leftValue !== rightValue) return leftValue < rightValue ? -1 : 1;
  if (leftEnd !== rightEnd) return leftEnd - rightEnd;
  return code(left[at] ?? '') - code(right[at] ?? '');
}

function followsNumber(characters: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0 && isDigit(characters[i]); i--) if (characters[i] !== '0') return true;
  return false;
}

function numberAt(characters: readonly string[], at: number, start: bigint): [bigint, number] {
  let value = start;
  let end = at;
  while (isDigit(characters[end])) {
    value = BigInt.asIntN(64, value * 10n + BigInt(code(characters[end] ?? '') - 0x30));
    end++;
  }
  return [value, end];
}
