import { Room } from '../go/budget';
import { byteLength } from '../go/go-string';
import { type GoYaml, needsQuotes } from './resolve-scalar';
import { allowedStyles, escapeCharacter, isBreak, isPlainInQuotes, startsWithBom } from './scalar-styles';

type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

/** The place of a node. */
export type Place = 'root' | 'sequence' | 'key' | 'value' | 'complexKey';

const INDENT = 2;
const MAX_SIMPLE_KEY_LENGTH = 128;

/** Writes events as libyaml's emitter and its port in go-yaml do: with the same breaks, quotes and indentation. */
export class Emitter {
  private readonly chunks: string[] = [];
  private readonly room = new Room();
  private column = 0;
  private indent = -1;
  /** The last character was white space, or an indicator after which no space is needed. */
  private isWhitespace = true;
  private isIndention = true;

  constructor(
    private readonly goYaml: GoYaml,
    private readonly width: number,
  ) {}

  /** Ends the document, and returns its text. */
  finish(): string {
    this.writeIndent();
    return this.chunks.join('');
  }

  /** Writes the items of a block sequence. */
  sequence(place: Place, items: Iterable<() => void>): void {
    const isCompact = this.goYaml === 'v2' && place !== 'root' && place !== 'sequence' && !this.isIndention;
    this.nested(isCompact ? 0 : INDENT, () => {
      for (const writeItem of items) {
        this.writeIndent();
        this.writeIndicator('-', { needsSpace: true, keepsIndention: true });
        writeItem();
      }
    });
  }

  /** Writes the entries of a block mapping. */
  mapping(entries: Iterable<readonly [key: string, writeValue: () => void]>): void {
    this.nested(INDENT, () => {
      for (const [key, writeValue] of entries) {
        this.writeIndent();
        this.writeKey(key);
        writeValue();
      }
    });
  }

  private writeKey(key: string): void {
    if (byteLength(key) <= MAX_SIMPLE_KEY_LENGTH && ![...key].some(isBreak)) {
      this.text(key, 'key');
      this.writeIndicator(':', {});
      return;
    }
    this.writeIndicator('?', { needsSpace: true, keepsIndention: true });
    this.text(key, 'complexKey');
    this.writeIndent();
    this.writeIndicator(':', { needsSpace: true, keepsIndention: true });
  }

  /** Writes an empty sequence or mapping. */
  empty(brackets: '[]' | '{}'): void {
    this.writeIndicator(brackets, { needsSpace: true });
  }

  /** Writes a scalar that is not a string, and so needs no quotes. */
  plain(text: string, place: Place): void {
    this.scalar(text, 'plain', place);
  }

  /** Writes a string, in quotes if it could be read as another type. */
  text(text: string, place: Place): void {
    if (text.includes('\n')) this.scalar(text, 'literal', place);
    else this.scalar(text, needsQuotes(text, this.goYaml) ? 'double' : 'plain', place);
  }

  private scalar(text: string, wanted: ScalarStyle, place: Place): void {
    this.room.take(text.length);
    const style = this.styleOf(text, wanted, place);
    const outer = this.indent;
    this.indent = outer < 0 ? INDENT : outer + INDENT;
    const mayBreak = place !== 'key';
    if (style === 'plain') this.writePlain(text, mayBreak);
    else if (style === 'single') this.writeSingleQuoted(text, mayBreak);
    else if (style === 'double') this.writeDoubleQuoted(text, mayBreak);
    else this.writeLiteral(text);
    this.indent = outer;
  }

  private styleOf(text: string, wanted: ScalarStyle, place: Place): ScalarStyle {
    const allowed = allowedStyles(text, this.goYaml);
    let style = wanted;
    if (place === 'key' && allowed.isMultiline) style = 'double';
    if (style === 'plain' && (!allowed.plain || (text === '' && place === 'key'))) style = 'single';
    if (style === 'single' && !allowed.single) style = 'double';
    if (style === 'literal' && (!allowed.block || place === 'key')) style = 'double';
    return style;
  }

  private nested(step: number, write: () => void): void {
    const outer = this.indent;
    this.indent = outer < 0 ? 0 : outer + step;
    write();
    this.indent = outer;
  }

  private put(text: string): void {
    this.chunks.push(text);
    this.column += 1;
  }

  private putBreak(character = '\n'): void {
    this.chunks.push(character);
    this.column = 0;
    this.isIndention = true;
  }

  private writeIndent(): void {
    const indent = Math.max(this.indent, 0);
    if (!this.isIndention || this.column > indent || (this.column === indent && !this.isWhitespace)) this.putBreak();
    if (this.column < indent) {
      this.room.take(indent - this.column);
      this.chunks.push(' '.repeat(indent - this.column));
    }
    this.column = Math.max(this.column, indent);
    this.isWhitespace = true;
    if (this.goYaml === 'v2') this.isIndention = true;
  }

  private writeIndicator(
    indicator: string,
    { needsSpace = false, keepsIndention = false }: { needsSpace?: boolean; keepsIndention?: boolean },
  ): void {
    if (needsSpace && !this.isWhitespace) this.put(' ');
    this.chunks.push(indicator);
    this.column += indicator.length;
    this.isWhitespace = false;
    this.isIndention = this.isIndention && keepsIndention;
  }

  private writePlain(text: string, mayBreak: boolean): void {
    if (!this.isWhitespace) this.put(' ');
    this.writeFolded([...text], mayBreak, false);
    this.isWhitespace = false;
    this.isIndention = false;
  }

  private writeSingleQuoted(text: string, mayBreak: boolean): void {
    this.writeIndicator("'", { needsSpace: true });
    this.writeFolded([...text], mayBreak, true);
    this.writeIndicator("'", {});
  }

  private writeFolded(characters: readonly string[], mayBreak: boolean, isQuoted: boolean): void {
    const first = isQuoted ? 1 : 0;
    const last = isQuoted ? characters.length - 2 : characters.length - 1;
    characters.forEach((character, i) => {
      const previous = characters[i - 1] ?? '';
      if (character === ' ') {
        const isBetween = previous !== ' ' && characters[i + 1] !== ' ' && i >= first && i <= last;
        this.writeSpace(mayBreak && isBetween);
      } else if (isBreak(character)) {
        if (!isBreak(previous) && character === '\n') this.putBreak();
        this.putBreak(character);
      } else {
        if (isBreak(previous)) this.writeIndent();
        this.putCharacter(character, isQuoted);
      }
    });
  }

  private putCharacter(character: string, isQuoted: boolean): void {
    if (isQuoted && character === "'") this.put("'");
    this.put(character);
    this.isIndention = false;
  }

  private writeSpace(mayBreak: boolean): boolean {
    const breaks = mayBreak && this.column > this.width;
    if (breaks) this.writeIndent();
    else this.put(' ');
    return breaks;
  }

  private writeDoubleQuoted(text: string, mayBreak: boolean): void {
    this.writeIndicator('"', { needsSpace: true });
    const characters = [...text];
    const escapesAll = startsWithBom(text);
    characters.forEach((character, i) => {
      if (escapesAll || !isPlainInQuotes(character)) {
        const escaped = escapeCharacter(character);
        this.put(escaped);
        this.column += escaped.length - 1;
      } else if (character === ' ') {
        const isInside = i > 0 && i < characters.length - 1;
        const hasBroken = this.writeSpace(mayBreak && characters[i - 1] !== ' ' && isInside);
        if (hasBroken && characters[i + 1] === ' ') this.put('\\');
      } else {
        this.put(character);
      }
    });
    this.writeIndicator('"', {});
  }

  private writeLiteral(text: string): void {
    const characters = [...text];
    this.writeIndicator('|', { needsSpace: true });
    if (/^[ \r\n\u0085\u2028\u2029]/.test(text)) this.writeIndicator(String(INDENT), {});
    const chomping = chompingOf(characters);
    if (chomping !== '') this.writeIndicator(chomping, {});
    this.putBreak();
    this.isWhitespace = true;
    let isAfterBreak = true;
    for (const character of characters) {
      if (isBreak(character)) {
        this.putBreak(character);
        isAfterBreak = true;
      } else {
        if (isAfterBreak) this.writeIndent();
        this.put(character);
        this.isIndention = false;
        isAfterBreak = false;
      }
    }
  }
}

function chompingOf(characters: readonly string[]): '' | '-' | '+' {
  if (!isBreak(characters.at(-1) ?? '')) return '-';
  return characters.length === 1 || isBreak(characters.at(-2) ?? '') ? '+' : '';
}
