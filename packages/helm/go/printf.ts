import { type FormatFlags, noFlags } from './format';
import { GoInt, type GoValue } from './values';

/** Prints the texts and directives of a format. */
export interface FormatSink {
  readonly write: (text: string) => void;
  readonly print: (argument: GoValue, verb: string, flags: FormatFlags) => void;
}

/** The greatest width and precision that Go accepts. */
const GREATEST = 1_000_000;

/** Prints a format with its arguments, and returns unused arguments. */
export function parseFormat(format: string, args: readonly GoValue[], sink: FormatSink): readonly GoValue[] {
  const state = new FormatState(format, args, sink);
  while (state.at < format.length) state.readText();
  return state.extraArguments();
}

class FormatState {
  at = 0;
  private flags = noFlags();
  private argument = 0;
  private isAfterIndex = false;
  private isIndexValid = true;
  private isReordered = false;
  private readonly lastClose: number;

  constructor(
    private readonly format: string,
    private readonly args: readonly GoValue[],
    private readonly sink: FormatSink,
  ) {
    this.lastClose = format.lastIndexOf(']');
  }

  /** Reads text up to a directive, and then the directive. */
  readText(): void {
    const percent = this.format.indexOf('%', this.at);
    const end = percent < 0 ? this.format.length : percent;
    if (end > this.at) this.sink.write(this.format.slice(this.at, end));
    this.at = end;
    if (percent >= 0) this.readDirective();
  }

  extraArguments(): readonly GoValue[] {
    return this.isReordered ? [] : this.args.slice(this.argument);
  }

  private readDirective(): void {
    this.at += 1;
    this.flags = noFlags();
    this.isIndexValid = true;
    this.readFlags();
    this.readIndex();
    this.readWidth();
    this.readPrecision();
    if (!this.isAfterIndex) this.readIndex();
    if (this.at >= this.format.length) {
      this.sink.write('%!(NOVERB)');
      return;
    }
    const verb = String.fromCodePoint(this.format.codePointAt(this.at) ?? 0);
    this.at += verb.length;
    this.printVerb(verb.toWellFormed());
  }

  private printVerb(verb: string): void {
    if (verb === '%') this.sink.write('%');
    else if (!this.isIndexValid) this.sink.write(`%!${verb}(BADINDEX)`);
    else if (this.argument >= this.args.length) this.sink.write(`%!${verb}(MISSING)`);
    else this.printArgument(verb);
  }

  private printArgument(verb: string): void {
    const { sharp, plus } = this.flags;
    const isGoSyntax = verb === 'v' || verb === 'w';
    const flags = isGoSyntax ? { ...this.flags, sharp: false, plus: false, sharpV: sharp, plusV: plus } : this.flags;
    const argument = this.args[this.argument];
    this.argument += 1;
    this.sink.print(argument, verb, flags);
  }

  private readFlags(): void {
    for (; ; this.at += 1) {
      switch (this.format.charAt(this.at)) {
        case '#':
          this.flags.sharp = true;
          break;
        case '0':
          this.flags.zero = true;
          break;
        case '+':
          this.flags.plus = true;
          break;
        case '-':
          this.flags.minus = true;
          break;
        case ' ':
          this.flags.space = true;
          break;
        default:
          return;
      }
    }
  }

  private readWidth(): void {
    if (this.format.charAt(this.at) === '*') {
      this.at += 1;
      this.setWidth(this.readNumberArgument());
      this.isAfterIndex = false;
      return;
    }
    const width = this.readNumber();
    if (width === undefined) return;
    this.flags.width = width;
    if (this.isAfterIndex) this.isIndexValid = false;
  }

  private setWidth(width: number | undefined): void {
    if (width === undefined) {
      this.sink.write('%!(BADWIDTH)');
      return;
    }
    this.flags.width = Math.abs(width);
    if (width >= 0) return;
    this.flags.minus = true;
    this.flags.zero = false;
  }

  private readPrecision(): void {
    if (this.at + 1 >= this.format.length || this.format.charAt(this.at) !== '.') return;
    this.at += 1;
    if (this.isAfterIndex) this.isIndexValid = false;
    this.readIndex();
    if (this.format.charAt(this.at) !== '*') {
      this.flags.precision = this.readNumber() ?? 0;
      return;
    }
    this.at += 1;
    const precision = this.readNumberArgument();
    if (precision === undefined || precision < 0) this.sink.write('%!(BADPREC)');
    else this.flags.precision = precision;
    this.isAfterIndex = false;
  }

  private readIndex(): void {
    this.isAfterIndex = false;
    if (this.format.charAt(this.at) !== '[') return;
    this.isReordered = true;
    const close = this.at > this.lastClose ? -1 : this.format.indexOf(']', this.at);
    if (close < 0 || this.at + 3 > this.format.length) {
      this.isIndexValid = false;
      this.at += 1;
      return;
    }
    const digits = this.format.slice(this.at + 1, close);
    this.at = close + 1;
    const isNumber = /^\d+$/.test(digits) && Math.floor(Number(digits) / 10) <= GREATEST;
    this.isAfterIndex = isNumber;
    const index = Number(digits) - 1;
    if (isNumber && index >= 0 && index < this.args.length) this.argument = index;
    else this.isIndexValid = false;
  }

  /** Returns the argument for which `*` stands; undefined if it is not an integer, or too large. */
  private readNumberArgument(): number | undefined {
    if (this.argument >= this.args.length) return undefined;
    const argument = this.args[this.argument];
    this.argument += 1;
    if (!(argument instanceof GoInt)) return undefined;
    const isTooLarge = argument.value > GREATEST || argument.value < -GREATEST;
    return isTooLarge ? undefined : Number(argument.value);
  }

  private readNumber(): number | undefined {
    let number: number | undefined;
    for (; ; this.at += 1) {
      const digit = this.format.charCodeAt(this.at) - 0x30;
      if (!(digit >= 0 && digit <= 9)) return number;
      if (number !== undefined && number > GREATEST) {
        // Go then consumes the rest of the format.
        this.at = this.format.length;
        return undefined;
      }
      number = (number ?? 0) * 10 + digit;
    }
  }
}
