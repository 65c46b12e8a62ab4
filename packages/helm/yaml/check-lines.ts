import { Lexer } from 'yaml';

/** A mistake in the lines of a text that go-yaml refuses and the `yaml` package accepts. */
export interface LineProblem {
  readonly reason: string;
  readonly line: number;
}

/** Finds tabs as indentation, and directives that are invalid or without a document. */
export function findLineProblem(text: string): LineProblem | undefined {
  const state = new LineState();
  for (const token of new Lexer().lex(text)) {
    const reason = state.next(token);
    if (reason !== undefined) return { reason, line: state.line };
    state.line += token.split('\n').length - 1;
    if (state.isDone) return undefined;
  }
  return state.hasDirective ? { reason: 'did not find expected <document start>', line: state.line } : undefined;
}

/** Tracks text without quotes. It continues over white space, and over tabs that are indented deeper than its block. */
class PlainText {
  private column = 0;
  private start = 0;
  private indent = -1;
  private isLast = false;
  private before = '';
  /** The last token that is neither white space nor a mark. The header of a block scalar begins with `|` or `>`. */
  private header = '';

  continuesWith(token: string): boolean {
    return this.isLast && this.column + token.indexOf('\t') > this.indent;
  }

  next(token: string): void {
    if (token.trim() !== '') {
      this.isLast = this.before === SCALAR && !/^[|>]/.test(this.header);
      if (/^[-?]$/.test(token)) this.indent = this.column;
      else if (token === ':') this.indent = this.start;
      else if (!MARKERS.has(token) && token !== SCALAR) this.start = this.column;
      if (token !== SCALAR) this.header = token;
    }
    if (!MARKERS.has(token) && token !== SCALAR) this.column = columnBehind(token, this.column);
    this.before = token;
  }
}

function columnBehind(token: string, column: number): number {
  const lineBreak = token.lastIndexOf('\n');
  return lineBreak < 0 ? column + token.length : token.length - lineBreak - 1;
}

const DOCUMENT = '\u0002';
const SCALAR = '\u001f';
const FLOW_ERROR = '\u0018';
const MARKERS: ReadonlySet<string> = new Set([DOCUMENT, FLOW_ERROR]);
const BETWEEN_DOCUMENTS: ReadonlySet<string> = new Set([DOCUMENT, '---', '...']);
const DIRECTIVE = /^%(YAML[ \t]+1\.1|TAG[ \t]+\S+[ \t]+\S+)[ \t]*(#.*)?$/;

class LineState {
  line = 1;
  hasDirective = false;
  /** True at the end of the first document, where go-yaml stops. */
  isDone = false;
  private depth = 0;
  private previous = '';
  private isAtStart = true;
  private hasContent = false;
  private readonly plain = new PlainText();

  /** Reads the next token of the lexer. Returns the mistake in it, if there is one. */
  next(token: string): string | undefined {
    const isIndenting = this.isAtStart || /^[-?]$/.test(this.previous);
    if (isIndenting && this.depth === 0 && /^ *\t/.test(token) && !this.plain.continuesWith(token)) {
      return 'found character that cannot start any token';
    }
    this.plain.next(token);
    if (token.startsWith('%') && !this.hasContent) return this.directive(token);
    this.previous = token;
    this.count(token);
    if (token.trim() !== '' && !MARKERS.has(token)) this.isAtStart = false;
    if (token.endsWith('\n')) this.isAtStart = true;
    return undefined;
  }

  private directive(token: string): string | undefined {
    if (/^%(YAML|TAG)[ \t]/.test(token)) {
      this.hasDirective = true;
      return DIRECTIVE.test(token) ? undefined : 'found incompatible YAML document';
    }
    return 'found unknown directive name';
  }

  private count(token: string): void {
    if (token === '[' || token === '{') this.depth += 1;
    if (token === ']' || token === '}') this.depth -= 1;
    if (token === '---') this.hasDirective = false;
    if (BETWEEN_DOCUMENTS.has(token) && this.hasContent) this.isDone = true;
    if (token === SCALAR || /^[-?:[{&*!'"]/.test(token)) this.hasContent = true;
  }
}
