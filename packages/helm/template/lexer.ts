import { formatUnicode, noFlags } from '../go/format';
import { quote } from '../go/quote';

/** The types of tokens. Each keyword has its own type. */
export type TokenType =
  | 'error'
  | 'bool'
  | 'char'
  | 'charConstant'
  | 'complex'
  | 'assign'
  | 'declare'
  | 'EOF'
  | 'field'
  | 'identifier'
  | 'leftDelim'
  | 'leftParen'
  | 'number'
  | 'pipe'
  | 'rawString'
  | 'rightDelim'
  | 'rightParen'
  | 'space'
  | 'string'
  | 'text'
  | 'variable'
  | Keyword;

type Keyword =
  | 'block'
  | 'break'
  | 'continue'
  | 'dot'
  | 'define'
  | 'else'
  | 'end'
  | 'if'
  | 'nil'
  | 'range'
  | 'template'
  | 'with';

/** A token of a template. */
export interface Token {
  readonly type: TokenType;
  /** Its start in the text. */
  readonly position: number;
  /** Its text; for an error, the message. */
  readonly value: string;
  readonly line: number;
}

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
  ['block', 'block'],
  ['break', 'break'],
  ['continue', 'continue'],
  ['define', 'define'],
  ['else', 'else'],
  ['end', 'end'],
  ['if', 'if'],
  ['range', 'range'],
  ['nil', 'nil'],
  ['template', 'template'],
  ['with', 'with'],
]);

const LEFT_DELIM = '{{';
const RIGHT_DELIM = '}}';
const LEFT_COMMENT = '/*';
const RIGHT_COMMENT = '*/';

/** The length of the trim marker `-` and the space next to it. */
const TRIM_MARKER_LENGTH = 2;

const ALPHANUMERIC = /^[\p{L}\p{Nd}_]$/u;

/** Splits the text of a template into tokens. */
export class Lexer {
  private at = 0;
  private start = 0;
  private line = 1;
  private newline: number;
  private isInsideAction = false;
  private parenDepth = 0;
  private readonly alphanumerics = /[\p{L}\p{Nd}_]*/uy;

  constructor(
    private text: string,
    private readonly functionKeywords: ReadonlySet<string>,
  ) {
    this.newline = text.indexOf('\n');
  }

  /** Returns the next token. An error is the last token. */
  next(): Token {
    return this.isInsideAction ? this.readInsideAction() : this.readText();
  }

  private emit(type: TokenType): Token {
    const value = this.text.slice(this.start, this.at);
    const token: Token = { type, position: this.start, value, line: this.line };
    this.ignore();
    return token;
  }

  private ignore(): void {
    while (this.newline >= 0 && this.newline < this.at) {
      this.line += 1;
      this.newline = this.text.indexOf('\n', this.newline + 1);
    }
    this.start = this.at;
  }

  private error(message: string): Token {
    const token: Token = { type: 'error', position: this.start, value: message, line: this.line };
    this.text = '';
    this.at = 0;
    this.start = 0;
    this.newline = -1;
    return token;
  }

  private readText(): Token {
    for (;;) {
      const delim = this.text.indexOf(LEFT_DELIM, this.at);
      this.at = delim < 0 ? this.text.length : delim;
      if (delim >= 0 && this.hasLeftTrimMarker(delim + LEFT_DELIM.length)) this.at = this.trimmedEnd(delim);
      if (this.at > this.start) return this.emit('text');
      if (delim < 0) return this.emit('EOF');
      this.at = delim;
      this.ignore();
      const token = this.readLeftDelim();
      if (token !== undefined) return token;
    }
  }

  /** Reads a left delimiter; undefined if it begins a comment, which is skipped. */
  private readLeftDelim(): Token | undefined {
    const delimEnd = this.at + LEFT_DELIM.length;
    const afterMarker = this.hasLeftTrimMarker(delimEnd) ? delimEnd + TRIM_MARKER_LENGTH : delimEnd;
    if (this.text.startsWith(LEFT_COMMENT, afterMarker)) {
      this.at = afterMarker;
      this.ignore();
      return this.readComment();
    }
    this.at = delimEnd;
    const token = this.emit('leftDelim');
    this.at = afterMarker;
    this.ignore();
    this.isInsideAction = true;
    this.parenDepth = 0;
    return token;
  }

  private readComment(): Token | undefined {
    const close = this.text.indexOf(RIGHT_COMMENT, this.at + LEFT_COMMENT.length);
    if (close < 0) return this.error('unclosed comment');
    this.at = close + RIGHT_COMMENT.length;
    const trims = this.trimsRightDelim();
    if (!trims && !this.isRightDelim(this.at)) return this.error('comment ends before closing delimiter');
    this.at += RIGHT_DELIM.length + (trims ? TRIM_MARKER_LENGTH : 0);
    if (trims) this.skipSpaces();
    this.ignore();
    return undefined;
  }

  private readRightDelim(): Token {
    const trims = this.trimsRightDelim();
    if (trims) this.at += TRIM_MARKER_LENGTH;
    this.ignore();
    this.at += RIGHT_DELIM.length;
    const token = this.emit('rightDelim');
    if (trims) this.skipSpaces();
    this.ignore();
    this.isInsideAction = false;
    return token;
  }

  private readInsideAction(): Token {
    if (this.isRightDelim(this.at) || this.trimsRightDelim()) {
      return this.parenDepth === 0 ? this.readRightDelim() : this.error('unclosed left paren');
    }
    const character = this.characterAt(this.at);
    if (character === '') return this.error('unclosed action');
    if (isSpace(character)) return this.readSpace();
    if (this.startsNumber(character)) return this.readNumber();
    if (ALPHANUMERIC.test(character)) return this.readIdentifier();
    this.at += character.length;
    return this.readPunctuation(character);
  }

  private readPunctuation(character: string): Token {
    switch (character) {
      case '=':
        return this.emit('assign');
      case ':':
        if (this.text.charAt(this.at) !== '=') return this.error('expected :=');
        this.at += 1;
        return this.emit('declare');
      case '|':
        return this.emit('pipe');
      case '"':
        return this.readQuoted('"', 'string', 'unterminated quoted string');
      case "'":
        return this.readQuoted("'", 'charConstant', 'unterminated character constant');
      case '`':
        return this.readRawString();
      case '$':
        return this.readName('variable', 'variable');
      case '.':
        return this.readName('field', 'dot');
      default:
        return this.readOther(character);
    }
  }

  private readOther(character: string): Token {
    if (character === '(') {
      this.parenDepth += 1;
      return this.emit('leftParen');
    }
    if (character === ')') {
      this.parenDepth -= 1;
      return this.parenDepth < 0 ? this.error('unexpected right paren') : this.emit('rightParen');
    }
    if (/^[!-~]$/.test(character)) return this.emit('char');
    return this.error(`unrecognized character in action: ${unicodeName(character)}`);
  }

  /** Reads spaces, except a space that belongs to the trim marker of the right delimiter. */
  private readSpace(): Token {
    while (isSpace(this.text.charAt(this.at))) this.at += 1;
    if (this.text.startsWith(`-${RIGHT_DELIM}`, this.at)) {
      this.at -= 1;
      if (this.at === this.start) return this.readRightDelim();
    }
    return this.emit('space');
  }

  private readIdentifier(): Token {
    this.skipAlphanumerics();
    const word = this.text.slice(this.start, this.at);
    if (!this.isAtTerminator()) return this.badCharacter();
    const keyword = KEYWORDS.get(word);
    if (keyword !== undefined && !this.functionKeywords.has(keyword)) return this.emit(keyword);
    return this.emit(word === 'true' || word === 'false' ? 'bool' : 'identifier');
  }

  private readName(type: TokenType, typeIfAlone: TokenType): Token {
    if (this.isAtTerminator()) return this.emit(typeIfAlone);
    this.skipAlphanumerics();
    return this.isAtTerminator() ? this.emit(type) : this.badCharacter();
  }

  private badCharacter(): Token {
    return this.error(`bad character ${unicodeName(this.characterAt(this.at))}`);
  }

  private readQuoted(quotes: string, type: TokenType, unterminated: string): Token {
    for (;;) {
      const character = this.text.charAt(this.at);
      if (character === '' || character === '\n') return this.error(unterminated);
      this.at += 1;
      if (character === quotes) return this.emit(type);
      if (character !== '\\') continue;
      const escaped = this.text.charAt(this.at);
      if (escaped === '' || escaped === '\n') return this.error(unterminated);
      this.at += 1;
    }
  }

  private readRawString(): Token {
    const close = this.text.indexOf('`', this.at);
    if (close < 0) return this.error('unterminated raw quoted string');
    this.at = close + 1;
    return this.emit('rawString');
  }

  private startsNumber(character: string): boolean {
    // For Go, a point at the very end of the text begins a number, too.
    if (character === '.') return this.at + 1 >= this.text.length || isDigit(this.text.charAt(this.at + 1));
    return character === '+' || character === '-' || isDigit(character);
  }

  private readNumber(): Token {
    const isNumber = this.scanNumber();
    const sign = this.text.charAt(this.at);
    if (!isNumber || (sign !== '+' && sign !== '-')) {
      return isNumber ? this.emit('number') : this.badNumber();
    }
    const isComplex = this.scanNumber() && this.text.charAt(this.at - 1) === 'i';
    return isComplex ? this.emit('complex') : this.badNumber();
  }

  private badNumber(): Token {
    return this.error(`bad number syntax: ${quote(this.text.slice(this.start, this.at))}`);
  }

  /** Reads the characters of a number. The parser checks whether they are valid. */
  private scanNumber(): boolean {
    this.accept('+-');
    let digits = '0123456789_';
    let exponents = 'eE';
    if (this.accept('0')) {
      if (this.accept('xX')) [digits, exponents] = ['0123456789abcdefABCDEF_', 'pP'];
      else if (this.accept('oO')) [digits, exponents] = ['01234567_', ''];
      else if (this.accept('bB')) [digits, exponents] = ['01_', ''];
    }
    this.acceptRun(digits);
    if (this.accept('.')) this.acceptRun(digits);
    if (this.accept(exponents)) {
      this.accept('+-');
      this.acceptRun('0123456789_');
    }
    this.accept('i');
    const next = this.characterAt(this.at);
    if (!ALPHANUMERIC.test(next)) return true;
    this.at += next.length;
    return false;
  }

  private accept(characters: string): boolean {
    const character = this.text.charAt(this.at);
    if (character === '' || !characters.includes(character)) return false;
    this.at += 1;
    return true;
  }

  private acceptRun(characters: string): void {
    while (this.accept(characters));
  }

  private skipAlphanumerics(): void {
    this.alphanumerics.lastIndex = this.at;
    this.alphanumerics.test(this.text);
    this.at = this.alphanumerics.lastIndex;
  }

  private isAtTerminator(): boolean {
    const character = this.text.charAt(this.at);
    return character === '' || isSpace(character) || '.,|:)('.includes(character) || this.isRightDelim(this.at);
  }

  private isRightDelim(at: number): boolean {
    return this.text.startsWith(RIGHT_DELIM, at);
  }

  private trimsRightDelim(): boolean {
    return isSpace(this.text.charAt(this.at)) && this.text.startsWith(`-${RIGHT_DELIM}`, this.at + 1);
  }

  private hasLeftTrimMarker(at: number): boolean {
    return this.text.charAt(at) === '-' && isSpace(this.text.charAt(at + 1));
  }

  private trimmedEnd(delim: number): number {
    let end = delim;
    while (end > this.start && isSpace(this.text.charAt(end - 1))) end -= 1;
    return end;
  }

  private skipSpaces(): void {
    while (isSpace(this.text.charAt(this.at))) this.at += 1;
  }

  private characterAt(at: number): string {
    const rune = this.text.codePointAt(at);
    return rune === undefined ? '' : String.fromCodePoint(rune);
  }
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\r' || character === '\n';
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

/** Formats a character as `%#U` does. */
function unicodeName(character: string): string {
  return formatUnicode(BigInt(character.codePointAt(0) ?? 0), { ...noFlags(), sharp: true });
}
