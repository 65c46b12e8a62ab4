import {
  Composer,
  type CST,
  type Document,
  type DocumentOptions,
  isAlias,
  isCollection,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  visit,
  YAMLParseError,
} from 'yaml';
import { MAX_DEPTH } from './max-depth';

/** A text whose collections nest too deeply. */
export class DepthError extends SyntaxError {
  constructor() {
    super(`collections nest more than ${MAX_DEPTH} levels deep`);
  }
}

/** Maximum number of values of a text after expanding aliases: a few lines may expand to billions. */
const MAX_VALUES = 1_000_000;

/** Maximum number of aliases in a text: the `yaml` package compares each with all nodes before it. */
const MAX_ALIASES = 10_000;

/** A text with too many aliases, or with aliases that expand to too many values or contain themselves. */
export class AliasError extends SyntaxError {}

/**
 * Parses YAML or JSON into the tokens of its documents.
 *
 * @throws DepthError before anything recurses
 */
export function* tokensOf(text: string): Generator<CST.Token, void> {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    // The stack holds the document, its collections, and perhaps a scalar on top.
    const tooDeep = parser.stack[MAX_DEPTH + 1];
    if (tooDeep !== undefined && 'items' in tooDeep) throw new DepthError();
  }
  yield* parser.end();
}

type OnError = (source: unknown, code: unknown, message: string, isWarning?: boolean) => void;

/** Returns a composer that records only the first error of a document: an error takes longer than parsing its line. */
export function composerOf(options: ParseOptions & DocumentOptions & SchemaOptions): Composer {
  const composer = new Composer(options);
  const inner = composer as unknown as { onError: OnError; readonly errors: readonly unknown[] };
  const { onError } = inner;
  inner.onError = (...error) => {
    if (inner.errors.length === 0) onError(...error);
  };
  return composer;
}

/** @throws DepthError if the collections of YAML or JSON nest too deeply for a parser that recurses */
export function checkDepth(text: string): void {
  for (const _ of tokensOf(text));
}

/**
 * Parses the documents of YAML or JSON as `parseAllDocuments` does; none for an empty text.
 *
 * @throws DepthError
 * @throws AliasError for more than 10,000 aliases, or if aliases and merge keys expand to more than a million values
 */
export function parseDocuments(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions = {},
): readonly Document.Parsed[] {
  // `uniqueKeys` is slow: the package compares each key of a map with all others. See `noteRepeatedKey`.
  const composer = composerOf({ ...options, uniqueKeys: false });
  const documents = [...composer.compose(tokensOf(text))] as Document.Parsed[];
  if (text.includes('*')) checkAliases(documents);
  for (const document of documents) noteRepeatedKey(document);
  return documents;
}

/** Returns a counter that maps offsets in a text to lines and columns. */
export function lineStarts(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return lines;
}

/** Makes a repeated key the error of a document, unless an error comes before it. */
function noteRepeatedKey({ contents, errors }: Document.Parsed): void {
  const at = repeatedKey(contents);
  const [error] = errors;
  if (at === undefined || (error !== undefined && error.pos[0] < at)) return;
  errors.splice(0, 1, new YAMLParseError([at, at + 1], 'DUPLICATE_KEY', 'Map keys must be unique'));
}

/** Returns the offset of the first key that a map has twice. */
function repeatedKey(node: unknown): number | undefined {
  if (isPair(node)) return repeatedKey(node.key) ?? repeatedKey(node.value);
  if (!isCollection(node)) return undefined;
  const keys = new Set<unknown>();
  for (const item of node.items) {
    if (isPair<Node>(item)) {
      const key = isScalar(item.key) ? item.key.value : item.key;
      if (keys.has(key)) return item.key.range?.[0] ?? 0;
      keys.add(key);
    }
    const inside = repeatedKey(item);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function checkAliases(documents: readonly Document.Parsed[]): void {
  let aliases = 0;
  for (const document of documents) {
    visit(document, {
      Alias: () => {
        if (++aliases > MAX_ALIASES) throw new AliasError(`there are more than ${MAX_ALIASES} aliases`);
      },
    });
    sizeOf(document.contents, new Map());
  }
}

interface Size {
  readonly values: number;
  readonly depth: number;
}

const SCALAR: Size = { values: 1, depth: 0 };

/** The size of a collection that contains itself. */
const ENDLESS: Size = { values: Number.POSITIVE_INFINITY, depth: 0 };

/** Measures a node with its aliases expanded: collections that are small and flat may contain each other by aliases. */
function sizeOf(node: unknown, anchors: Map<string, Size>): Size {
  if (isAlias(node)) return anchors.get(node.source) ?? SCALAR;
  if (!isCollection(node) && !isPair(node)) return SCALAR;
  if (isCollection(node) && node.anchor !== undefined) anchors.set(node.anchor, ENDLESS);
  const parts = isPair(node) ? [node.key, node.value] : node.items;
  let [values, depth] = [1, 0];
  for (const part of parts) {
    const size = sizeOf(part, anchors);
    values += size.values;
    depth = Math.max(depth, size.depth);
  }
  if (values > MAX_VALUES) throw new AliasError(`aliases expand to more than ${MAX_VALUES} values`);
  if (isPair(node)) return { values, depth };
  if (depth >= MAX_DEPTH) throw new DepthError();
  const size = { values, depth: depth + 1 };
  if (node.anchor !== undefined) anchors.set(node.anchor, size);
  return size;
}
