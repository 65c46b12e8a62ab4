import type {
  ArrayExpression,
  ArrowFunctionExpression,
  CallExpression,
  ClassMethod,
  Expression,
  FunctionDeclaration,
  ObjectExpression,
  Pattern,
} from '@swc/core';
import { childrenOf, importedSource, type Node, type Source, type Sources } from './sources';

export type FunctionNode = FunctionDeclaration | ArrowFunctionExpression | ClassMethod;

/** A piece of syntax, and all that it is in, from the outside to the inside. */
export interface Place<N extends Node = Node> {
  readonly source: Source;
  readonly node: N;
  readonly around: readonly Node[];
}

/** The meaning of a name at a place. */
export type Meaning =
  | { readonly is: 'value'; readonly at: Place<Expression> }
  | { readonly is: 'parameter'; readonly of: Place<FunctionNode>; readonly index: number; readonly member?: string }
  | { readonly is: 'other' };

const OTHER: Meaning = { is: 'other' };

/** The nodes that declare constants for all that is in them. */
const BLOCKS: readonly string[] = ['Module', 'FunctionBody', 'BlockStatement'];

/** All pieces of syntax of a source that a test accepts. */
export function placesIn<N extends Node>(source: Source, accepts: (node: Node) => node is N): readonly Place<N>[] {
  const found: Place<N>[] = [];
  const visit = (node: Node, around: readonly Node[]) => {
    if (accepts(node)) found.push({ source, node, around });
    const inside = [...around, node];
    for (const child of childrenOf(node)) visit(child, inside);
  };
  visit(source.module, []);
  return found;
}

/** The meaning of a name at a place: the innermost declaration that there is. */
export function meaningOf(sources: Sources, name: string, { source, around }: Place): Meaning {
  for (let depth = around.length - 1; depth >= 0; depth--) {
    const node = around[depth] as Node;
    const outer = around.slice(0, depth);
    const found = isFunction(node)
      ? parameterOf({ source, node, around: outer }, name)
      : declaredIn({ source, node, around: outer }, name);
    if (found !== undefined) return found;
  }
  return imported(sources, source, name) ?? OTHER;
}

export function isFunction(node: Node): node is FunctionNode {
  return ['FunctionDeclaration', 'ArrowFunctionExpression', 'ClassMethod'].includes(node.type);
}

/** The patterns of a function's parameters. */
function patternsOf(node: FunctionNode): readonly Pattern[] {
  if (node.type === 'ArrowFunctionExpression') return node.params;
  const { params } = node.type === 'ClassMethod' ? node.function : node;
  return params.map((param) => param.pat);
}

function parameterOf(of: Place<FunctionNode>, name: string): Meaning | undefined {
  for (const [index, pattern] of patternsOf(of.node).entries()) {
    const target = pattern.type === 'AssignmentPattern' ? pattern.left : pattern;
    if (target.type === 'Identifier' && target.value === name) return { is: 'parameter', of, index };
    const member = memberOf(target, name);
    if (member !== undefined) return { is: 'parameter', of, index, member };
    if (boundNames(target).includes(name)) return OTHER;
  }
  return undefined;
}

/** The member, or the index, that a destructuring gives a name to, where it is an immediate one. */
function memberOf(pattern: Pattern, name: string): string | undefined {
  if (pattern.type === 'ArrayPattern') {
    const index = pattern.elements.findIndex((element) => element?.type === 'Identifier' && element.value === name);
    return index === -1 ? undefined : `${index}`;
  }
  if (pattern.type !== 'ObjectPattern') return undefined;
  for (const property of pattern.properties) {
    if (property.type === 'AssignmentPatternProperty' && property.key.value === name) return name;
    if (property.type !== 'KeyValuePatternProperty' || property.key.type !== 'Identifier') continue;
    if (property.value.type === 'Identifier' && property.value.value === name) return property.key.value;
  }
  return undefined;
}

/** All names that a pattern declares. */
function boundNames(pattern: Node): readonly string[] {
  if (pattern.type === 'Identifier') return [(pattern as Node & { value: string }).value];
  return childrenOf(pattern).flatMap(boundNames);
}

function declaredIn(place: Place, name: string): Meaning | undefined {
  const { node } = place;
  if (node.type === 'ForOfStatement' || node.type === 'CatchClause') {
    const [declared] = childrenOf(node);
    return declared !== undefined && boundNames(declared).includes(name) ? OTHER : undefined;
  }
  if (!BLOCKS.includes(node.type)) return undefined;
  const declarators = childrenOf(node)
    .map((statement) => (statement.type === 'ExportDeclaration' ? childrenOf(statement)[0] : statement))
    .filter((statement) => statement?.type === 'VariableDeclaration')
    .flatMap((declaration) => (declaration === undefined ? [] : childrenOf(declaration)));
  return declarators.map((declarator) => declaredBy(declarator, name, place)).find((meaning) => meaning !== undefined);
}

function declaredBy(declarator: Node, name: string, { source, node, around }: Place): Meaning | undefined {
  const { id, init } = declarator as Node & { readonly id: Pattern; readonly init?: Expression | null };
  if (!boundNames(id).includes(name)) return undefined;
  if (id.type !== 'Identifier' || init == null) return OTHER;
  return { is: 'value', at: { source, node: init, around: [...around, node, declarator] } };
}

/** The constant of another source that an import gives a name to. */
function imported(sources: Sources, from: Source, name: string): Meaning | undefined {
  for (const item of from.module.body) {
    if (item.type !== 'ImportDeclaration') continue;
    const specifier = item.specifiers.find(({ local }) => local.value === name);
    if (specifier?.type !== 'ImportSpecifier') continue;
    const source = importedSource(sources, from, item.source.value);
    const original = specifier.imported?.value ?? name;
    if (source !== undefined) return declaredIn({ source, node: source.module, around: [] }, original);
  }
  return undefined;
}

/** All calls by the name of what is called, and whether it is a method. */
const indexes = new WeakMap<Sources, ReadonlyMap<string, readonly Place<CallExpression>[]>>();

/**
 * The calls of a function by its name, in its own source and where it is imported; of a public method in all sources; and
 * of one that is handed to `map`, one for each row of a table.
 */
export function callsOf(sources: Sources, fn: Place<FunctionNode>): readonly Place<CallExpression>[] {
  const name = nameOf(fn);
  if (name === undefined) return rowsOf(sources, fn);
  const index = callIndex(sources);
  if (fn.node.type === 'ClassMethod') {
    const calls = index.get(`.${name}`) ?? [];
    return fn.node.accessibility === 'private' ? calls.filter(({ source }) => source === fn.source) : calls;
  }
  return [...sources.values()].flatMap((source) => {
    const local = source === fn.source ? name : localName(source, { sources, from: fn.source, name });
    return local === undefined ? [] : (index.get(local) ?? []).filter((call) => call.source === source);
  });
}

function rowsOf(sources: Sources, fn: Place<FunctionNode>): readonly Place<CallExpression>[] {
  const call = fn.around.at(-1);
  if (call === undefined || !isCall(call)) return [];
  const mapped = listOfMethod(call, ['map', 'flatMap']);
  const table = mapped === undefined ? undefined : tableAt(sources, { ...fn, node: mapped });
  if (table === undefined) return [];
  const around = [...table.around, table.node];
  return table.node.elements.flatMap((element) =>
    element == null ? [] : [{ source: table.source, node: { ...call, arguments: [element] }, around }],
  );
}

/** The list whose method a call is of. */
function listOfMethod({ callee }: CallExpression, methods: readonly string[]): Node | undefined {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined;
  return methods.includes(callee.property.value) ? callee.object : undefined;
}

/** The list that an expression stands for, where it is written out; of a filtered one all of it. */
function tableAt(sources: Sources, place: Place): Place<ArrayExpression> | undefined {
  const { node } = place as Place<Expression>;
  if (node.type === 'ArrayExpression') return { ...place, node };
  if (node.type === 'TsAsExpression' || node.type === 'TsConstAssertion' || node.type === 'TsSatisfiesExpression') {
    return tableAt(sources, { ...place, node: node.expression });
  }
  const filtered = node.type === 'CallExpression' ? listOfMethod(node, ['filter']) : undefined;
  if (filtered !== undefined) return tableAt(sources, { ...place, node: filtered });
  if (node.type !== 'Identifier') return undefined;
  const meaning = meaningOf(sources, node.value, place);
  if (meaning.is === 'value') return tableAt(sources, meaning.at);
  const preset = meaning.is === 'parameter' ? presetOf(meaning.of, meaning.index) : undefined;
  return preset === undefined ? undefined : tableAt(sources, preset);
}

/** The value that a parameter has where a call gives none. */
export function presetOf({ source, node, around }: Place<FunctionNode>, index: number): Place | undefined {
  const pattern = patternsOf(node)[index];
  return pattern?.type === 'AssignmentPattern' ? { source, node: pattern.right, around: [...around, node] } : undefined;
}

function callIndex(sources: Sources): ReadonlyMap<string, readonly Place<CallExpression>[]> {
  const known = indexes.get(sources);
  if (known !== undefined) return known;
  const index = new Map<string, Place<CallExpression>[]>();
  for (const call of [...sources.values()].flatMap((source) => placesIn(source, isCall))) {
    const { callee } = call.node;
    const method =
      callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property : undefined;
    const name = callee.type === 'Identifier' ? callee.value : `.${method?.value ?? ''}`;
    index.set(name, [...(index.get(name) ?? []), call]);
  }
  indexes.set(sources, index);
  return index;
}

/** The name under which a source imports something of another one. */
function localName(source: Source, of: { sources: Sources; from: Source; name: string }): string | undefined {
  for (const item of source.module.body) {
    if (item.type !== 'ImportDeclaration') continue;
    if (importedSource(of.sources, source, item.source.value) !== of.from) continue;
    const specifier = item.specifiers.find(
      (one) => one.type === 'ImportSpecifier' && (one.imported?.value ?? one.local.value) === of.name,
    );
    if (specifier !== undefined) return specifier.local.value;
  }
  return undefined;
}

/** The name by which a function is called; undefined where it has none. */
function nameOf({ node, around }: Place<FunctionNode>): string | undefined {
  if (node.type === 'FunctionDeclaration') return node.identifier.value;
  if (node.type === 'ClassMethod') return 'value' in node.key ? String(node.key.value) : undefined;
  const declarator = around.at(-1);
  if (declarator?.type !== 'VariableDeclarator') return undefined;
  const { id } = declarator as Node & { readonly id: Pattern };
  return id.type === 'Identifier' ? id.value : undefined;
}

function isCall(node: Node): node is CallExpression {
  return node.type === 'CallExpression';
}

export function isObject(node: Node): node is ObjectExpression {
  return node.type === 'ObjectExpression';
}
