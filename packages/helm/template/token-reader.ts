import { byteLength, runeCount } from '../go/go-string';
import { quote } from '../go/quote';
import type { Budget } from '../go/values';
import { Lexer, type Token, type TokenType } from './lexer';
import type { Template } from './template';
import { TemplateError } from './template-error';

/** A token becomes a node of a few hundred bytes, or a part of one. */
const STEPS_PER_TOKEN = 4;

/** The state that the parsers of all templates of a file share. */
export class ParsedFile {
  readonly templates = new Map<string, Template>();
  private readonly lexer: Lexer;
  /** The number of open control structures, blocks and parentheses. */
  nesting = 0;

  constructor(
    readonly name: string,
    readonly text: string,
    readonly functions: ReadonlySet<string>,
    private readonly budget: Budget,
  ) {
    const functionKeywords = new Set(['break', 'continue'].filter((keyword) => functions.has(keyword)));
    this.lexer = new Lexer(text, functionKeywords);
  }

  nextToken(): Token {
    this.budget.spend(STEPS_PER_TOKEN);
    return this.lexer.next();
  }
}

/** Maximum nesting. No template of a chart nests as deeply; a parser that recurses deeper could exhaust the stack. */
const DEEPEST_NESTING = 200;

/** Reads the tokens of a template. It can put back three tokens. */
export class TokenReader {
  /** The line of the action that is being read; 0 between actions. */
  protected actionLine = 0;
  private readonly tokens: Token[] = [];
  private putBack = 0;

  constructor(protected readonly file: ParsedFile) {}

  protected next(): Token {
    if (this.putBack > 0) this.putBack -= 1;
    else this.tokens[0] = this.file.nextToken();
    return this.tokenAt(this.putBack);
  }

  protected peek(): Token {
    if (this.putBack === 0) {
      this.putBack = 1;
      this.tokens[0] = this.file.nextToken();
    }
    return this.tokenAt(this.putBack - 1);
  }

  protected backup(): void {
    this.putBack += 1;
  }

  /** Puts back the last token and the ones before it, the earliest first. */
  protected backupTo(...earlier: readonly Token[]): void {
    earlier.toReversed().forEach((token, index) => {
      this.tokens[index + 1] = token;
    });
    this.putBack = earlier.length + 1;
  }

  protected nextNonSpace(): Token {
    for (;;) {
      const token = this.next();
      if (token.type !== 'space') return token;
    }
  }

  protected peekNonSpace(): Token {
    const token = this.nextNonSpace();
    this.backup();
    return token;
  }

  protected expect(type: TokenType, context: string): Token {
    const token = this.nextNonSpace();
    return token.type === type ? token : this.unexpected(token, context);
  }

  /** Reads something that nests. @throws TemplateError if it nests too deeply */
  protected nested<T>(tooDeep: string, read: () => T): T {
    if (this.file.nesting >= DEEPEST_NESTING) this.error(tooDeep);
    this.file.nesting += 1;
    const result = read();
    this.file.nesting -= 1;
    return result;
  }

  protected unexpected(token: Token, context: string): never {
    if (token.type !== 'error') this.error(`unexpected ${tokenText(token)} in ${context}`);
    this.error(token.value + this.actionStart(token));
  }

  protected error(reason: string): never {
    const line = this.tokens[0]?.line ?? 1;
    const { name } = this.file;
    throw new TemplateError(`template: ${name}:${line}: ${reason}`, { template: name, line, column: 0, reason });
  }

  private actionStart(token: Token): string {
    if (this.actionLine === 0 || this.actionLine === token.line) return '';
    const noun = token.value.endsWith(' action') ? '' : ' in action';
    return `${noun} started at ${this.file.name}:${this.actionLine}`;
  }

  private tokenAt(index: number): Token {
    const token = this.tokens[index];
    if (token === undefined) throw new Error('a token was read that was not put back');
    return token;
  }
}

const KEYWORD_TOKENS: ReadonlySet<TokenType> = new Set<TokenType>([
  'block',
  'break',
  'continue',
  'define',
  'dot',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
]);

function tokenText({ type, value }: Token): string {
  if (type === 'EOF') return 'EOF';
  if (KEYWORD_TOKENS.has(type)) return `<${value}>`;
  if (byteLength(value) <= 10) return quote(value);
  const start = runeCount(value) > 10 ? Array.from(value.slice(0, 20)).slice(0, 10).join('') : value;
  return `${quote(start)}...`;
}
