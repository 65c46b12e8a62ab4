import {
  type Alias,
  CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLParseError,
  type YAMLSeq,
} from 'yaml';
import { MAX_DEPTH } from '#base/max-depth';
import { composerOf, DepthError, tokensOf } from '#base/yaml-documents';
import { decodeBase64 } from '../go/base-n';
import { STEPS_PER_ENTRY, stepsToMake, UNLIMITED } from '../go/budget';
import { formatFloat } from '../go/float-format';
import { bytesOf, stringOf } from '../go/go-string';
import { type Budget, FunctionError, type GoValue } from '../go/values';
import { findLineProblem } from './check-lines';
import { indentFlows } from './indent-flows';
import { resolveScalar } from './resolve-scalar';
import { YamlError } from './yaml-error';

/** Steps for each character, for which the package creates a dozen objects. */
const STEPS_PER_CHARACTER = 1;

/** Steps for each character of a document with an error, or with indentation that the package does not accept. */
const STEPS_PER_CHARACTER_IN_ERROR = 10;

/** Reads a document in any form of YAML. Its characters must have been checked. @throws YamlError */
export function readAnyYaml(text: string, budget: Budget = UNLIMITED): GoValue {
  budget.spend(STEPS_PER_CHARACTER * text.length);
  checkLines(text);
  const root = readRoot(text, budget);
  return root.contents === null ? null : new Reader(root.text, budget).read(root.contents, 0);
}

interface Root {
  readonly text: string;
  readonly contents: Node | null;
}

function readRoot(given: string, budget: Budget): Root {
  const { text, document } = lenientDocument(given, budget);
  const { contents, errors } = document;
  const [error] = errors;
  if (error === undefined || isBehind(error, contents, text)) return { text, contents };
  budget.spend(STEPS_PER_CHARACTER_IN_ERROR * text.length);
  const indented = indentFlows(text, budget);
  const second = firstDocument(indented);
  const [other] = second.errors;
  if (other === undefined || isBehind(other, second.contents, indented)) {
    return { text: indented, contents: second.contents };
  }
  throw new YamlError(`${error.message}`, lineOf(text, error.pos[0]));
}

interface LenientDocument {
  readonly text: string;
  readonly document: Document.Parsed;
}

/** Rewrites syntax that go-yaml permits and the `yaml` package does not: one error at a time, until none is left. */
function lenientDocument(given: string, budget: Budget): LenientDocument {
  let text = given;
  let document = firstDocument(text);
  for (let changed = rewritten(text, document); changed !== undefined; changed = rewritten(text, document)) {
    budget.spend(STEPS_PER_CHARACTER * text.length);
    text = changed;
    document = firstDocument(text);
  }
  return { text, document };
}

/** In go-yaml, an apostrophe may be escaped, and a comment may follow quotes or a bracket without a space. */
function rewritten(text: string, { errors: [error] }: Document.Parsed): string | undefined {
  const at = error?.pos[0] ?? -1;
  if (error?.code === 'BAD_DQ_ESCAPE' && text.startsWith("\\'", at))
    return `${text.slice(0, at)}\\x27${text.slice(at + 2)}`;
  const isComment = error?.code === 'MISSING_CHAR' && text[at] === '#' && /["'\]}]/.test(text[at - 1] ?? '');
  return isComment ? `${text.slice(0, at)} ${text.slice(at)}` : undefined;
}

function checkLines(text: string): void {
  if (!/\t|^ *%/m.test(text)) return;
  const problem = findLineProblem(text);
  if (problem !== undefined) throw new YamlError(problem.reason, problem.line);
}

function firstDocument(text: string): Document.Parsed {
  if (/^(?:[ \t]*(?:#.*)?\n)*\.\.\.(?:\s|$)/.test(text))
    throw new YamlError('yaml: did not find expected node content');
  const composer = composerOf({
    version: '1.1',
    schema: 'failsafe',
    merge: false,
    uniqueKeys: false,
    strict: true,
    logLevel: 'silent',
  });
  try {
    let end: number | undefined;
    for (const token of tokensOf(text)) {
      // A stray bracket in the next document must not be an error in this one.
      if (token.type === 'error' && /^(?:---|\.\.\.)/.test(text.slice(end, token.offset))) break;
      if (token.type === 'document') end ??= token.offset + CST.stringify(token).length;
      for (const document of composer.next(token)) return document as Document.Parsed;
    }
  } catch (error) {
    if (error instanceof DepthError) throw new YamlError(`yaml: ${error.message}`);
    throw error;
  }
  // At the end of the text, the composer returns a document, which may be empty.
  return [...composer.end(true)][0] as Document.Parsed;
}

/**
 * Whether a position is after the root of the document, where go-yaml stops. A root on one line or in brackets has its
 * own end. An indented block ends at the first line that is indented less.
 */
function isBehind({ code, pos: [position] }: YAMLParseError, root: Node | null, text: string): boolean {
  const [start, end] = root?.range ?? [];
  if (root === null || start === undefined || end === undefined) return false;
  const isBlock = (isMap(root) || isSeq(root)) && root.flow !== true;
  // An empty root replaces one that could not be read.
  if (!isBlock)
    return start < end && position >= end && isEnded(text.slice(start, end), root) && isToken(text.slice(end));
  if (code !== 'UNEXPECTED_TOKEN' || position <= start) return false;
  return columnOf(text, position) < columnOf(text, start) && isToken(`\n${text.slice(position)}`);
}

/** Whether a root has its last quote or bracket. Without it, the root extends to the end of the text. */
function isEnded(text: string, root: Node): boolean {
  if (isScalar(root)) return QUOTED[root.type ?? '']?.test(text) ?? true;
  return /[\]}]$/.test(text);
}

/**
 * Patterns of tokens of go-yaml's scanner, by their first character. Any other character begins a valid token, such as
 * a plain scalar or a bracket.
 */
const TOKENS: Readonly<Record<string, RegExp>> = {
  '"': /"(?:[^"\\]|\\[\s\S])*"/y,
  "'": /'(?:[^']|'')*'/y,
  '*': /\*[\w-]+(?=[\s?:,\]}%@`]|$)/y,
  '&': /&[\w-]+(?=[\s?:,\]}%@`]|$)/y,
  '!': /!\S*(?=\s|$)/y,
  '|': /\|[+-]?[1-9]?[+-]?[ \t]*(?:#.*)?(?=\n|$)/y,
  '>': />[+-]?[1-9]?[+-]?[ \t]*(?:#.*)?(?=\n|$)/y,
  '-': /-(?!\s|$)/y,
  '?': /\?(?!\s|$)/y,
  ':': /:(?!\s|$)/y,
  '%': /(?!)/y,
  '@': /(?!)/y,
  '`': /(?!)/y,
};

/** Whether a valid token follows the root: go-yaml reads one. Marks of lists and keys must begin a line. */
function isToken(text: string): boolean {
  const space = /^(?:\s|(?<=\s)#.*)*/.exec(text)?.[0] ?? '';
  const first = text[space.length];
  if (first === undefined || (space.includes('\n') && /[-?:]/.test(first))) return true;
  const pattern = TOKENS[first];
  if (pattern === undefined) return true;
  pattern.lastIndex = space.length;
  return pattern.test(text);
}

function columnOf(text: string, position: number): number {
  return position - (text.lastIndexOf('\n', position - 1) + 1);
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

class Reader {
  private readonly anchors = new Map<string, Node>();
  private readonly open = new Set<Node>();
  private readonly limit = new AliasLimit();
  /** True while nodes in brackets are read. */
  private isInFlow = false;

  constructor(
    private readonly text: string,
    private readonly budget: Budget,
  ) {}

  read(node: Node | null, depth: number): GoValue {
    if (depth > MAX_DEPTH) throw new YamlError(`yaml: ${new DepthError().message}`);
    if (!this.limit.count()) throw new YamlError('yaml: document contains excessive aliasing');
    if (node === null) return null;
    if (isAlias(node)) return this.readAlias(node, depth);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) throw this.error(node, 'unknown node');
    if (node.anchor !== undefined) this.setAnchor(node.anchor, node);
    if (isMap(node)) return this.readMap(node, depth);
    return isSeq(node) ? this.readList(node, depth) : this.readScalar(node);
  }

  private setAnchor(name: string, node: Node): void {
    if (!/^[0-9A-Za-z_-]+$/.test(name)) {
      throw this.error(node, 'did not find expected alphabetic or numeric character');
    }
    this.anchors.set(name, node);
  }

  private readAlias(alias: Alias, depth: number): GoValue {
    const target = this.targetOf(alias);
    if (this.open.has(target)) throw new YamlError(`yaml: anchor '${alias.source}' value contains itself`);
    this.open.add(target);
    const value = this.limit.within(() => this.read(target, depth + 1));
    this.open.delete(target);
    return value;
  }

  private targetOf(alias: Alias): Node {
    const target = this.anchors.get(alias.source);
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${alias.source}' referenced`);
    return target;
  }

  private readList(list: YAMLSeq, depth: number): GoValue {
    const items = this.within(list, () =>
      list.items.map((item) => this.keyAlone(item) ?? this.read(item as Node | null, depth + 1)),
    );
    this.budget.spend(1 + stepsToMake(items));
    return items;
  }

  /** In brackets, a colon without a space after it is a part of the text: `[a:]` is a list of one string. */
  private keyAlone(item: unknown): string | undefined {
    if (!isMap(item) || item.flow !== true || item.items.length !== 1 || this.text[item.range?.[0] ?? 0] === '{')
      return undefined;
    const [pair] = item.items;
    return pair !== undefined && this.isColonInText(pair) ? `${(pair.key as Scalar).value}:` : undefined;
  }

  private isColonInText({ key, value }: Pair): boolean {
    if (!isScalar(key) || key.type !== 'PLAIN' || (value !== null && !(isScalar(value) && value.source === '')))
      return false;
    const end = key.range?.[1] ?? 0;
    if (!/^:[,\]}]/.test(this.text.slice(end, end + 2))) return false;
    this.checkFlow(key);
    return true;
  }

  private within<T>(node: YAMLMap | YAMLSeq, read: () => T): T {
    const { isInFlow } = this;
    this.isInFlow = node.flow === true;
    this.open.add(node);
    const value = read();
    this.open.delete(node);
    this.isInFlow = isInFlow;
    return value;
  }

  private readMap(map: YAMLMap, depth: number): GoValue {
    const entries = new Map<string, GoValue>();
    this.within(map, () => this.readInto(map, entries, depth));
    this.budget.spend(stepsToMake(entries));
    return entries;
  }

  private readInto(map: YAMLMap, entries: Map<string, GoValue>, depth: number): void {
    for (const pair of map.items) {
      const { key, value } = pair;
      if (map.flow === true && this.isColonInText(pair)) entries.set(`${(key as Scalar).value}:`, null);
      else if (isMergeKey(key)) this.merge(value as Node | null, entries, depth);
      else entries.set(this.readKey(key as Node | null, depth), this.read(value as Node | null, depth + 1));
    }
  }

  /** Later keys override those of a merge, and a merge overrides earlier keys: go-yaml v2 reads from top to bottom. */
  private merge(source: Node | null, entries: Map<string, GoValue>, depth: number): void {
    const sources = isSeq(source) ? (source.items as (Node | null)[]).toReversed() : [source];
    for (const one of sources) this.mergeOne(one, entries, depth);
  }

  private mergeOne(source: Node | null, entries: Map<string, GoValue>, depth: number): void {
    const map = isAlias(source) ? this.targetOf(source) : source;
    if (!isMap(map)) throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
    if (this.open.has(map)) throw new YamlError('yaml: anchor value contains itself');
    if (map.anchor !== undefined) this.anchors.set(map.anchor, map);
    const read = (): void => {
      if (!this.limit.count() || depth > MAX_DEPTH) throw new YamlError('yaml: document contains excessive aliasing');
      this.budget.spend(STEPS_PER_ENTRY * map.items.length);
      this.within(map, () => this.readInto(map, entries, depth + 1));
    };
    if (isAlias(source)) this.limit.within(read);
    else read();
  }

  private readKey(key: Node | null, depth: number): string {
    const node = isAlias(key) ? this.targetOf(key) : key;
    if (node !== null && !isScalar(node)) throw this.error(node, 'invalid map key');
    const value = node === null ? null : this.typedScalar(node);
    if (node !== null && node === key) this.checkKey(node);
    if (node?.anchor !== undefined && node === key) this.anchors.set(node.anchor, node);
    if (!this.limit.count() || depth > MAX_DEPTH) throw new YamlError('yaml: document contains excessive aliasing');
    if (value === null) throw new YamlError('unsupported map key of type: %!s(<nil>), key: <nil>');
    if (typeof value === 'number') return floatKey(value);
    return String(value);
  }

  /** In brackets, a key before a colon must be on one line. */
  private checkKey(key: Scalar): void {
    const [start, end] = key.range ?? [0, 0];
    if (!this.isInFlow || !this.text.slice(start, end).includes('\n')) return;
    if (/^\s*:/.test(this.text.slice(end))) throw this.error(key, "did not find expected ',' or '}'");
  }

  private readScalar(scalar: Scalar): GoValue {
    const value = this.typedScalar(scalar);
    if (typeof value === 'bigint') return Number(value);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
      throw new FunctionError(`error converting YAML to JSON: json: unsupported value: ${name}`);
    }
    return value;
  }

  private typedScalar(scalar: Scalar): null | boolean | number | bigint | string {
    const text = this.valueOf(scalar);
    const tag = scalar.tag ?? '';
    if (tag === '!!binary' || tag === `${CORE}binary`) return this.binary(text);
    if (tag === '' && scalar.type !== undefined && scalar.type !== 'PLAIN') return text;
    if (tag !== '' && !(tag in TYPES)) return text;
    return this.tagged(scalar, text, tag);
  }

  /** Returns the value of a scalar. A block at the end of a text without a line break has no line break at its end. */
  private valueOf(scalar: Scalar): string {
    const value = String(scalar.value ?? '');
    if (!value.isWellFormed()) throw this.error(scalar, 'found invalid Unicode character escape code');
    if (!this.isTerminated(scalar)) throw this.error(scalar, 'found unexpected end of stream');
    this.checkEscapes(scalar);
    this.checkFlow(scalar);
    const isBlock = scalar.type === 'BLOCK_LITERAL' || scalar.type === 'BLOCK_FOLDED';
    const isLast = isBlock && scalar.range?.[1] === this.text.length && !this.text.endsWith('\n');
    return isLast ? value.replace(/\n$/, '') : value;
  }

  /** Whether a quoted scalar ends with a quote: the parser accepts an escaped quote as its end. */
  private isTerminated({ type, range }: Scalar): boolean {
    const quoted = QUOTED[type ?? ''];
    return quoted === undefined || range == null || quoted.test(this.text.slice(range[0], range[1]));
  }

  /** Refuses an escaped slash, which YAML 1.1 lacks, and escapes of half a character. */
  private checkEscapes({ type, range }: Scalar): void {
    if (type !== 'QUOTE_DOUBLE' || range == null) return;
    for (const [escaped] of this.text.slice(range[0], range[1]).matchAll(/\\(?:u[\da-fA-F]{4}|[^u])/gs)) {
      if (escaped === '\\/') throw new YamlError('yaml: found unknown escape character');
      if (/^\\u[dD][89a-fA-F]/.test(escaped)) throw new YamlError('yaml: found invalid Unicode character escape code');
    }
  }

  /** In brackets, a plain scalar contains no question mark, and does not begin with a colon. */
  private checkFlow(scalar: Scalar): void {
    if (this.isInFlow && scalar.type === 'PLAIN' && /^:|\?/.test(scalar.source ?? '')) {
      throw this.error(scalar, "did not find expected ',' or ']'");
    }
  }

  private tagged(scalar: Scalar, text: string, tag: string): null | boolean | number | bigint | string {
    const wanted = TYPES[tag];
    if (wanted === 'text') return text;
    const resolved = resolveScalar(text, 'v2');
    const isWanted = wanted === undefined || wanted === resolved.type;
    if (!isWanted && !(wanted === 'float' && resolved.type === 'int')) {
      throw this.error(scalar, `cannot decode ${tagName(resolved.type)} \`${text}\` as a ${tagName(wanted)}`);
    }
    if (resolved.type === 'null') return null;
    return 'value' in resolved ? resolved.value : text;
  }

  private binary(text: string): string {
    const decoded = decodeBase64(bytesOf(text));
    if ('illegalAt' in decoded) throw new YamlError('yaml: !!binary value contains invalid base64 data');
    return stringOf(decoded.bytes).toWellFormed();
  }

  private error(node: Node | null, reason: string): YamlError {
    const start = node?.range?.[0];
    return new YamlError(reason, start === undefined ? undefined : lineOf(this.text, start));
  }
}

const QUOTED: Readonly<Record<string, RegExp>> = {
  QUOTE_SINGLE: /^'(?:[^']|'')*'$/,
  QUOTE_DOUBLE: /^"(?:[^"\\]|\\.)*"$/s,
};

const CORE = 'tag:yaml.org,2002:';

const TYPES: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  [`${CORE}str`]: 'text',
  [`${CORE}bool`]: 'bool',
  [`${CORE}int`]: 'int',
  [`${CORE}float`]: 'float',
  [`${CORE}null`]: 'null',
  [`${CORE}timestamp`]: 'timestamp',
});

function tagName(type: string): string {
  return `!!${type === 'text' ? 'str' : type}`;
}

function isMergeKey(key: unknown): boolean {
  if (!isScalar(key) || key.value !== '<<') return false;
  return key.tag === `${CORE}merge` || (key.tag === undefined && key.type === 'PLAIN');
}

/** Formats a float that is a key: sigs.k8s.io/yaml writes it with the digits of a float of 32 bits. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return value > 0 ? '.inf' : '-.inf';
  for (let digits = 1; digits < 10; digits++) {
    const shorter = Number(single.toPrecision(digits));
    if (Math.fround(shorter) === single) return formatFloat(shorter, 'g', -1);
  }
  return formatFloat(single, 'g', -1);
}

const SMALL_DOCUMENT = 400_000;
const LARGE_DOCUMENT = 4_000_000;

/** Counts the nodes that aliases repeat. As go-yaml does, refuses documents that consist mostly of such nodes. */
class AliasLimit {
  private decoded = 0;
  private repeated = 0;
  private depth = 0;

  /** Counts a node. Returns whether the document is within the limit. */
  count(): boolean {
    this.decoded += 1;
    if (this.depth > 0) this.repeated += 1;
    if (this.repeated <= 100 || this.decoded <= 1000) return true;
    return this.repeated / this.decoded <= allowedRatio(this.decoded);
  }

  /** Reads the target of an alias. */
  within<T>(read: () => T): T {
    this.depth += 1;
    const value = read();
    this.depth -= 1;
    return value;
  }
}

/** Returns the allowed share of repeated nodes: from 99 % of a small document down to 10 % of a large one. */
function allowedRatio(decoded: number): number {
  if (decoded <= SMALL_DOCUMENT) return 0.99;
  if (decoded >= LARGE_DOCUMENT) return 0.1;
  return 0.99 - 0.89 * ((decoded - SMALL_DOCUMENT) / (LARGE_DOCUMENT - SMALL_DOCUMENT));
}
