/** A text of a `--set` flag, read once from its start to its end. A backslash takes the next character as it is. */
export class FlagReader {
  private position = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  /** Returns what is left. */
  get rest(): string {
    return this.text.slice(this.position);
  }

  /** Goes past a text, if it is what comes next. */
  skip(expected: string): boolean {
    const isNext = this.text.startsWith(expected, this.position);
    if (isNext) this.position += expected.length;
    return isNext;
  }

  /** Goes past so many UTF-16 code units. */
  advance(length: number): void {
    this.position += length;
  }

  /** Reads up to one of the characters in `stops`, and past it; `stop` is undefined at the end of the text. */
  readUntil(stops: string): { readonly text: string; readonly stop: string | undefined } {
    let text = '';
    while (!this.isAtEnd) {
      const character = this.next();
      if (stops.includes(character)) return { text, stop: character };
      text += character === '\\' ? this.next() : character;
    }
    return { text, stop: undefined };
  }

  private next(): string {
    const character = String.fromCodePoint(this.text.codePointAt(this.position) ?? 0);
    if (this.isAtEnd) return '';
    this.position += character.length;
    return character;
  }
}
