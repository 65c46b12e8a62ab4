import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Problem } from '#base/findings/problem';
import { checkDepth } from '#base/yaml-documents';
import { nearestNode } from '#base/yaml-node';
import { FLEET_FINDINGS } from './findings';

/** The data of a file, and the place of each part. */
export interface FleetText {
  readonly data: unknown;
  /** The position of a place, or of its nearest existing parent. */
  positionOf(path: readonly string[]): Position;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** A problem of reading a text, and its position if it is known. */
export interface TextProblem {
  readonly problem: Problem;
  readonly position?: Position;
}

/** Some hundred for each of some thousand clusters. */
const MAX_VALUES = 1_000_000;

/** The problems of a text, in the words of what reads it. */
export interface TextRefusals {
  syntax(parameters: { readonly message: string }): Problem;
  empty(): Problem;
  aliases(parameters: { readonly size: number; readonly most: number }): Problem;
  endless(parameters: { readonly most: number }): Problem;
}

const FLEET: TextRefusals = {
  syntax: FLEET_FINDINGS.fleetFileRefusedSyntax,
  empty: () => FLEET_FINDINGS.fleetFileRefusedEmpty(),
  aliases: FLEET_FINDINGS.fleetFileRefusedAliases,
  endless: FLEET_FINDINGS.fleetFileRefusedEndless,
};

/** Parses YAML or JSON. Returns the problems, with their places if known, for an invalid text. */
export function parseFleetText(text: string, refuse: TextRefusals = FLEET): FleetText | readonly TextProblem[] {
  try {
    return parse(text, refuse);
  } catch (error) {
    // Such as nesting too deep for the parser.
    const message = error instanceof Error ? error.message : String(error);
    return [{ problem: refuse.syntax({ message }) }];
  }
}

function parse(text: string, refuse: TextRefusals): FleetText | readonly TextProblem[] {
  checkDepth(text);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const at = (offset: number): Position => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    return faults.map(({ message, pos: [offset] }) => ({
      problem: refuse.syntax({ message }),
      position: at(offset),
    }));
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return [{ problem: refuse.empty() }];
  const size = new Sizes().of(contents);
  if (size > MAX_VALUES) return [{ problem: expanded(size, refuse) }];
  // Aliases are already bounded by the number of values.
  const data: unknown = document.toJS({ maxAliasCount: -1 });
  return { data, positionOf: (path) => at(nearestNode(document, path).range?.[0] ?? 0) };
}

/** With aliases expanded: a few lines may expand to billions of values. */
class Sizes {
  private readonly ofAnchors = new Map<string, number>();

  /** @throws Error where a key is not a string, or an alias has no target */
  of(node: unknown): number {
    if (isAlias(node)) return this.ofAlias(node.source);
    checkTag(node);
    if (isScalar(node)) return this.noted(node.anchor, 1);
    if (!isMap(node) && !isSeq(node)) return 1;
    // A node within itself is infinite.
    this.noted(node.anchor, Number.POSITIVE_INFINITY);
    const sizes = isSeq(node)
      ? node.items.map((item) => this.of(item))
      : node.items.map(({ key, value }) => this.ofKey(key) + this.of(value));
    return this.noted(
      node.anchor,
      sizes.reduce((sum, size) => sum + size, 1),
    );
  }

  private ofKey(key: unknown): number {
    if (isScalar(key)) return this.of(key);
    throw new Error('a key is a list, a map or an alias');
  }

  private ofAlias(source: string): number {
    const size = this.ofAnchors.get(source);
    if (size === undefined) throw new Error(`the alias *${source} has no anchor above it`);
    return size;
  }

  private noted(anchor: string | undefined, size: number): number {
    if (anchor !== undefined) this.ofAnchors.set(anchor, size);
    return size;
  }
}

/** Others, such as `!!set` and `!!timestamp`, have values that settings cannot have. */
const TAGS: readonly string[] = ['!', 'str', 'int', 'float', 'bool', 'null', 'map', 'seq'];

function checkTag(node: unknown): void {
  const tag = isNode(node) && !isAlias(node) ? node.tag : undefined;
  const name = tag?.replace(/^tag:yaml\.org,2002:/, '');
  if (name !== undefined && !TAGS.includes(name))
    throw new Error(`!!${name} is not a value of JSON, and settings are JSON`);
}

function expanded(size: number, refuse: TextRefusals): Problem {
  return Number.isFinite(size) ? refuse.aliases({ size, most: MAX_VALUES }) : refuse.endless({ most: MAX_VALUES });
}
