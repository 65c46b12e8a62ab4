import { isScalar, visit } from 'yaml';
import type { Problem } from '#base/findings/problem';
import { AliasError, lineStarts, parseDocuments } from '#base/yaml-documents';
import { nearestNode } from '#base/yaml-node';
import { FLEET_FINDINGS } from './findings';

/** The data of a file, and the position of each part. */
export interface FleetText {
  readonly data: unknown;
  /** Returns the position of a path, or of its nearest existing parent. */
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

/** The findings about a text that cannot be read, in the words for its kind of file. */
export interface TextRefusals {
  syntax(parameters: { readonly message: string }): Problem;
  empty(): Problem;
  aliases(): Problem;
}

const FLEET: TextRefusals = {
  syntax: FLEET_FINDINGS.fleetFileRefusedSyntax,
  empty: () => FLEET_FINDINGS.fleetFileRefusedEmpty(),
  aliases: () => FLEET_FINDINGS.fleetFileRefusedAliases(),
};

/** Parses YAML or JSON. Returns the problems of an invalid text, with their positions if known. */
export function parseFleetText(text: string, refuse: TextRefusals = FLEET): FleetText | readonly TextProblem[] {
  try {
    return parse(text, refuse);
  } catch (error) {
    if (error instanceof AliasError) return [{ problem: refuse.aliases() }];
    // For example, the nesting is too deep for the parser.
    const message = error instanceof Error ? error.message : String(error);
    return [{ problem: refuse.syntax({ message }) }];
  }
}

function parse(text: string, refuse: TextRefusals): FleetText | readonly TextProblem[] {
  const [document, second] = parseDocuments(text, { logLevel: 'error' });
  const lines = lineStarts(text);
  const at = (offset: number): Position => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
  const fault = (message: string, offset: number): TextProblem => ({
    problem: refuse.syntax({ message }),
    position: at(offset),
  });
  const { errors = [], warnings = [], contents = null } = document ?? {};
  const faults = [...errors, ...warnings].map(({ message, pos: [offset] }) => fault(message, offset));
  if (second !== undefined) faults.push(fault('there is more than one document', second.range[0]));
  if (faults.length > 0) return faults;
  if (document === undefined || isEmpty(contents)) return [{ problem: refuse.empty() }];
  visit(document, {
    Value: (_, node) => checkTag(node.tag),
    Pair: (_, { key }) => checkKey(key),
  });
  // The values of aliases have been counted.
  const data: unknown = document.toJS({ maxAliasCount: -1 });
  return { data, positionOf: (path) => at(nearestNode(document, path).range?.[0] ?? 0) };
}

function isEmpty(contents: unknown): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
}

/** Other tags, such as `!!set` and `!!timestamp`, stand for values that JSON does not have. */
const TAGS: readonly string[] = ['!', 'str', 'int', 'float', 'bool', 'null', 'map', 'seq'];

function checkTag(tag: string | undefined): void {
  const name = tag?.replace(/^tag:yaml\.org,2002:/, '');
  if (name !== undefined && !TAGS.includes(name))
    throw new Error(`!!${name} is not a value of JSON, and settings are JSON`);
}

function checkKey(key: unknown): void {
  if (!isScalar(key)) throw new Error('a key is a list, a map or an alias');
}
