/** Compares keys as go-yaml sorts them: numbers in them by value, what is no letter before letters. */
export function naturally(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  const index = a.findIndex((character, position) => character !== b[position]);
  if (index === -1 || index >= b.length) return a.length - b.length;
  return characters(a, b, index);
}

function characters(a: readonly string[], b: readonly string[], index: number): number {
  const [x = '', y = ''] = [a[index], b[index]];
  const [isLetterX, isLetterY] = [isLetter(x), isLetter(y)];
  if (isLetterX !== isLetterY) return isLetterX ? 1 : -1;
  if (isLetterX) return byCodePoint(x, y);
  const [m, n] = [digitsFrom(a, index), digitsFrom(b, index)];
  // A digit before makes zeros count: 10 is more than 9, but 01 is 1.
  const lead = (x === '0' || y === '0') && followsNumber(a, index) ? '1' : '';
  const difference = Number(`${lead}${m}` || '0') - Number(`${lead}${n}` || '0');
  return difference || m.length - n.length || byCodePoint(x, y);
}

function digitsFrom(text: readonly string[], index: number): string {
  const end = text.findIndex((character, position) => position >= index && !isDigit(character));
  return text.slice(index, end === -1 ? text.length : end).join('');
}

function followsNumber(text: readonly string[], index: number): boolean {
  for (let position = index - 1; position >= 0 && isDigit(text[position] ?? ''); position -= 1) {
    if (text[position] !== '0') return true;
  }
  return false;
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

function isDigit(character: string): boolean {
  return /[0-9]/.test(character);
}

function byCodePoint(x: string, y: string): number {
  return (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);
}
