import { MAX_DEPTH } from '#base/max-depth';
import { quoteRune } from '../go/quote';

/** Returns why a text is not valid JSON, in the words of Go's scanner. */
export function describeJsonProblem(text: string): string {
  try {
    new JsonScanner(text).scanDocument();
  } catch (error) {
    if (error instanceof JsonProblem) return error.message;
    throw error;
  }
  return 'unexpected end of JSON input';
}

class JsonProblem extends Error {}

const LITERALS = ['true', 'false', 'null'] as const;
const ENDED_BY_SPACE = /^in literal|numeric literal$|escape/;

class JsonScanner {
  private at = 0;

  constructor(private readonly text: string) {}

  scanDocument(): void {
    this.scanValue(0);
    this.skipSpace();
    if (this.at < this.text.length) this.refuse('after top-level value');
  }

  private refuse(context: string): never {
    // At the end of the text, Go's scanner adds a space to end a literal, number or escape.
    const code = this.text.codePointAt(this.at) ?? (ENDED_BY_SPACE.test(context) ? 0x20 : undefined);
    if (code === undefined) throw new JsonProblem('unexpected end of JSON input');
    throw new JsonProblem(`invalid character ${this.quoted(code)} ${context}`);
  }

  /** Go's scanner reads bytes, and shows the first byte of a character. */
  private quoted(code: number): string {
    if (code === 0x27) return `'\\''`;
    if (code === 0x22) return `'"'`;
    const [byte = 0] = Buffer.from(String.fromCodePoint(code));
    return quoteRune(byte, false);
  }

  private skipSpace(): void {
    while (/^[ \t\r\n]$/.test(this.text.charAt(this.at))) this.at += 1;
  }

  private scanValue(depth: number): void {
    if (depth > MAX_DEPTH) throw new JsonProblem('exceeded max depth');
    this.skipSpace();
    const first = this.text.charAt(this.at);
    if (first === '{') this.scanObject(depth);
    else if (first === '[') this.scanArray(depth);
    else if (first === '"') this.scanString();
    else if (/^[-0-9]$/.test(first)) this.scanNumber();
    else this.scanLiteral(first);
  }

  private scanLiteral(first: string): void {
    const literal = LITERALS.find((candidate) => first !== '' && candidate.startsWith(first));
    if (literal === undefined) this.refuse('looking for beginning of value');
    for (const character of literal) {
      if (this.text.charAt(this.at) !== character) this.refuse(`in literal ${literal} (expecting '${character}')`);
      this.at += 1;
    }
  }

  private scanObject(depth: number): void {
    this.at += 1;
    this.skipSpace();
    if (this.takes('}')) return;
    do {
      this.skipSpace();
      if (this.text.charAt(this.at) !== '"') this.refuse('looking for beginning of object key string');
      this.scanString();
      this.skipSpace();
      if (!this.takes(':')) this.refuse('after object key');
      this.scanValue(depth + 1);
      this.skipSpace();
    } while (this.takes(','));
    if (!this.takes('}')) this.refuse('after object key:value pair');
  }

  private scanArray(depth: number): void {
    this.at += 1;
    this.skipSpace();
    if (this.takes(']')) return;
    do {
      this.scanValue(depth + 1);
      this.skipSpace();
    } while (this.takes(','));
    if (!this.takes(']')) this.refuse('after array element');
  }

  private takes(character: string): boolean {
    if (this.text.charAt(this.at) !== character) return false;
    this.at += 1;
    return true;
  }

  private scanString(): void {
    this.at += 1;
    while (!this.takes('"')) {
      if (this.text.charAt(this.at) < ' ') this.refuse('in string literal');
      if (this.takes('\\')) this.scanEscape();
      else this.at += 1;
    }
  }

  private scanEscape(): void {
    const letter = this.text.charAt(this.at);
    if (!/^[bfnrt\\/"u]$/.test(letter)) this.refuse('in string escape code');
    this.at += 1;
    for (let i = 0; letter === 'u' && i < 4; i++) {
      if (!/^[0-9a-fA-F]$/.test(this.text.charAt(this.at))) this.refuse('in \\u hexadecimal character escape');
      this.at += 1;
    }
  }

  private scanNumber(): void {
    this.takes('-');
    if (!this.takes('0')) this.scanDigits('in numeric literal');
    if (this.takes('.')) this.scanDigits('after decimal point in numeric literal');
    if (this.takes('e') || this.takes('E')) {
      if (!this.takes('+')) this.takes('-');
      this.scanDigits('in exponent of numeric literal');
    }
  }

  private scanDigits(context: string): void {
    if (!/^[0-9]$/.test(this.text.charAt(this.at))) this.refuse(context);
    while (/^[0-9]$/.test(this.text.charAt(this.at))) this.at += 1;
  }
}
