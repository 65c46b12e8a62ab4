import { isObject } from '#base/is-object';

/** An expression of HCL, if it is data; every other expression is `unknown`. */
export type Expression =
  | { readonly type: 'literal'; readonly value: string | number | boolean | null }
  | { readonly type: 'list'; readonly items: readonly Expression[] }
  | { readonly type: 'map'; readonly entries: ReadonlyMap<string, Expression> }
  | { readonly type: 'call'; readonly name: string; readonly argument: Expression }
  /** A file, by its path from the folder of the module. */
  | { readonly type: 'path'; readonly path: string }
  | { readonly type: 'unknown' };

/** A block such as `resource "helm_release" "linkerd" { … }`. */
export interface Block {
  readonly type: string;
  readonly labels: readonly string[];
  readonly attributes: ReadonlyMap<string, Expression>;
  readonly blocks: readonly Block[];
}

/**
 * Returns the resources in a file of Terraform's JSON syntax, in which texts are templates.
 *
 * @throws SyntaxError if it is not JSON
 */
export function parseTerraformJson(text: string): readonly Block[] {
  const root: unknown = JSON.parse(text);
  return membersOf(isObject(root) ? root.resource : undefined).flatMap(([type, named]) =>
    membersOf(named).flatMap(([name, bodies]) =>
      [bodies].flat().map(
        (body: unknown): Block => ({
          type: 'resource',
          labels: [type, name],
          attributes: new Map(membersOf(body).map(([key, value]) => [key, expressionOf(value, 0)])),
          blocks: [],
        }),
      ),
    ),
  );
}

/** Terraform's JSON may contain a list of objects in the place of one object. */
function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return [value].flat().flatMap((one: unknown) => (isObject(one) ? Object.entries(one) : []));
}

function expressionOf(value: unknown, depth: number): Expression {
  if (depth > MAX_DEPTH) return UNKNOWN;
  if (Array.isArray(value)) return { type: 'list', items: value.map((item: unknown) => expressionOf(item, depth + 1)) };
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, of]) => [key, expressionOf(of, depth + 1)] as const);
    return { type: 'map', entries: new Map(entries) };
  }
  if (typeof value !== 'string') return { type: 'literal', value: value as number | boolean | null };
  const [, expression] = /^\$\{((?:[^{}]|\{[^{}]*\})*)\}$/.exec(value) ?? [];
  if (expression !== undefined) return expressionIn(expression);
  return isTemplate(value) ? pathIn(value) : { type: 'literal', value: value.replaceAll('$${', '${') };
}

const IN_MODULE = /^\$\{path\.(?:module|root|cwd)\}\/([^$%]+)$/;

function pathIn(template: string): Expression {
  const [, path] = IN_MODULE.exec(template) ?? [];
  return path === undefined ? UNKNOWN : { type: 'path', path };
}

function expressionIn(text: string): Expression {
  try {
    return new HclReader([...tokensOf(`x = ${text}\n`)]).body(undefined).attributes.get('x') ?? UNKNOWN;
  } catch (error) {
    if (error instanceof SyntaxError) return UNKNOWN;
    throw error;
  }
}

interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'break' | 'sign';
  readonly text: string;
  readonly line: number;
  /** The text contains a template, which would have to be evaluated. */
  readonly isTemplate?: boolean;
}

const UNKNOWN: Expression = { type: 'unknown' };
/** Expressions that are nested deeper become unknown values. */
const MAX_DEPTH = 100;

/**
 * Returns the blocks at the root of a file of HCL.
 *
 * @throws SyntaxError if it is not HCL
 */
export function parseHcl(text: string): readonly Block[] {
  return new HclReader([...tokensOf(text)]).body(undefined).blocks;
}

const TOKEN =
  /(?<skip>[ \t\r]+|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<line>\n)|<<-?(?<tag>\w+)\r?\n|(?<quoted>"(?:[^"\\\n]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_][\w-]*)|(?<sign>=>|[^\s"])/y;

function* tokensOf(text: string): Generator<Token> {
  let [at, line] = [0, 1];
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw new SyntaxError(`a text does not end in line ${line}`);
    let end = TOKEN.lastIndex;
    const { tag } = match.groups ?? {};
    if (tag === undefined) {
      const token = tokenOf(match.groups ?? {}, line);
      if (token !== undefined) yield token;
    } else {
      const document = hereDocument(text, end, { tag, isIndented: match[0].startsWith('<<-') });
      if (document === undefined) throw new SyntaxError(`the here document of line ${line} does not end`);
      yield { kind: 'text', text: document.text, line, isTemplate: document.isTemplate };
      end = document.end;
    }
    line += text.slice(at, end).split('\n').length - 1;
    at = end;
  }
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>, line: number): Token | undefined {
  const { quoted, number, name, sign, line: lineBreak } = groups;
  if (quoted !== undefined) return { kind: 'text', ...unquoted(quoted), line };
  if (number !== undefined) return { kind: 'number', text: number, line };
  if (name !== undefined) return { kind: 'name', text: name, line };
  if (sign !== undefined) return { kind: 'sign', text: sign, line };
  return lineBreak === undefined ? undefined : { kind: 'break', text: '\n', line };
}

/** The end tag is alone on its line; `<<-` removes the smallest indentation of the lines. */
function hereDocument(text: string, start: number, { tag, isIndented }: { tag: string; isIndented: boolean }) {
  const end = new RegExp(`^[ \\t]*${tag}[ \\t]*\\r?$`, 'm');
  const rest = text.slice(start);
  const match = end.exec(rest);
  if (match === null) return undefined;
  const lines = rest.slice(0, match.index).replaceAll('\r\n', '\n').split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const least = isIndented && indents.length > 0 ? Math.min(...indents) : 0;
  const content = lines.map((line) => line.slice(Math.min(least, line.length - line.trimStart().length))).join('\n');
  return {
    text: content.replaceAll('$${', '${'),
    isTemplate: isTemplate(content),
    end: start + match.index + match[0].length,
  };
}

function isTemplate(text: string): boolean {
  return /(?:^|[^$])\$\{|(?:^|[^%])%\{/.test(text);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

function unquoted(quoted: string): { readonly text: string; readonly isTemplate: boolean } {
  const inside = quoted.slice(1, -1);
  const text = inside.replace(/\\(u[\da-fA-F]{4}|.)/g, (_, escaped: string) =>
    escaped.length > 1 ? String.fromCharCode(Number.parseInt(escaped.slice(1), 16)) : (ESCAPES[escaped] ?? escaped),
  );
  return { text: text.replaceAll('$${', '${'), isTemplate: isTemplate(inside) };
}

class HclReader {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  /** Reads attributes and blocks until the brace that closes them. */
  body(close: string | undefined): Pick<Block, 'attributes' | 'blocks'> {
    const attributes = new Map<string, Expression>();
    const blocks: Block[] = [];
    for (;;) {
      this.skipBreaks();
      const token = this.tokens[this.at];
      if (token?.text === close && token?.kind === 'sign') this.at += 1;
      if (token === undefined || (token.kind === 'sign' && token.text === close)) {
        if (token === undefined && close !== undefined) throw new SyntaxError('a block does not end');
        return { attributes, blocks };
      }
      this.member(attributes, blocks);
    }
  }

  private member(attributes: Map<string, Expression>, blocks: Block[]): void {
    const { kind, text: type, line } = this.take();
    if (kind !== 'name') throw new SyntaxError(`line ${line} has ${JSON.stringify(type)} instead of a name`);
    if (this.isSign('=')) {
      this.at += 1;
      attributes.set(type, this.expression(0));
      return;
    }
    const labels: string[] = [];
    while (this.tokens[this.at]?.kind === 'text' || this.tokens[this.at]?.kind === 'name')
      labels.push(this.take().text);
    if (!this.isSign('{')) throw new SyntaxError(`line ${line} is neither an attribute nor a block`);
    this.at += 1;
    blocks.push({ type, labels, ...this.body('}') });
  }

  /** An expression ends with its line, except in brackets. With further tokens after data, it is unknown. */
  private expression(depth: number): Expression {
    const read = depth > MAX_DEPTH ? UNKNOWN : this.term(depth);
    if (this.isEnd()) return read;
    this.skipRest();
    return UNKNOWN;
  }

  private term(depth: number): Expression {
    const { kind, text, isTemplate: isUnknown } = this.tokens[this.at] ?? { kind: 'break', text: '' };
    if (kind === 'text' && isUnknown !== true) return this.literal(text);
    if (kind === 'text') {
      this.at += 1;
      return pathIn(text);
    }
    if (kind === 'number') return this.literal(Number(text));
    if (kind === 'name' && ['true', 'false', 'null'].includes(text)) return this.literal(JSON.parse(text));
    if (kind === 'name' && this.isSign('(', 1)) return this.call(text, depth);
    if (kind === 'sign' && text === '[') return this.list(depth);
    if (kind === 'sign' && text === '{') return this.map(depth);
    return UNKNOWN;
  }

  private literal(value: string | number | boolean | null): Expression {
    this.at += 1;
    return { type: 'literal', value };
  }

  private call(name: string, depth: number): Expression {
    const start = this.at;
    this.at += 2;
    this.skipBreaks();
    const argument = this.expression(depth + 1);
    this.skipBreaks();
    if (this.isSign(')')) {
      this.at += 1;
      return { type: 'call', name, argument };
    }
    this.at = start;
    return UNKNOWN;
  }

  private list(depth: number): Expression {
    const items: Expression[] = [];
    this.at += 1;
    for (this.skipBreaks(); !this.isSign(']'); this.skipBreaks()) {
      items.push(this.expression(depth + 1));
      this.skipBreaks();
      if (this.isSign(',')) this.at += 1;
      else if (!this.isSign(']')) throw new SyntaxError(`the list of line ${this.line()} does not end`);
    }
    this.at += 1;
    return { type: 'list', items };
  }

  private map(depth: number): Expression {
    const entries = new Map<string, Expression>();
    let isKnown = true;
    this.at += 1;
    for (this.skipBreaks(); !this.isSign('}'); this.skipBreaks()) {
      const key = this.take();
      if (this.isSign('=') || this.isSign(':')) {
        this.at += 1;
        entries.set(key.text, this.expression(depth + 1));
        isKnown &&= key.kind !== 'sign' && key.isTemplate !== true;
      } else {
        // A `for` expression, or a key that is computed.
        isKnown = false;
        this.skipRest();
      }
      if (this.isSign(',')) this.at += 1;
    }
    this.at += 1;
    return isKnown ? { type: 'map', entries } : UNKNOWN;
  }

  /** Skips tokens that are not data, up to the end of the line, or of the enclosing bracket. */
  private skipRest(): void {
    let open = 0;
    for (let token = this.tokens[this.at]; token !== undefined; token = this.tokens[this.at]) {
      if (open === 0 && this.isEnd()) return;
      if (token.kind === 'sign' && /^[[{(]$/.test(token.text)) open += 1;
      if (token.kind === 'sign' && /^[\]})]$/.test(token.text)) open -= 1;
      this.at += 1;
    }
  }

  private isEnd(): boolean {
    const token = this.tokens[this.at];
    return token === undefined || token.kind === 'break' || (token.kind === 'sign' && /^[,\]})]$/.test(token.text));
  }

  private isSign(text: string, ahead = 0): boolean {
    const token = this.tokens[this.at + ahead];
    return token?.kind === 'sign' && token.text === text;
  }

  private skipBreaks(): void {
    while (this.tokens[this.at]?.kind === 'break') this.at += 1;
  }

  private take(): Token {
    const token = this.tokens[this.at];
    if (token === undefined) throw new SyntaxError('the file ends in the middle of a block');
    this.at += 1;
    return token;
  }

  private line(): number {
    return this.tokens[Math.min(this.at, this.tokens.length - 1)]?.line ?? 1;
  }
}
