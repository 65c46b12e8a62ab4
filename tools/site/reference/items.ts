import { dirname } from 'node:path/posix';
import type { ClassMember, Declaration, TsType, TsTypeElement, TsTypeReference } from '@swc/core';
import { MODULES, withDeclarations } from '../../api/declarations';
import { type Entry, entriesOf } from '../../api/report';
import { printed } from '../../api/signature';
import { visitNodes } from '../../api/syntax';
import { commentBefore, type DocComment } from './doc-comment';

/** A member of a class, an interface or a constant. */
export interface Member {
  readonly kind: 'constructor' | 'method' | 'property';
  readonly name: string;
  readonly isOptional: boolean;
  readonly isStatic: boolean;
  /** The type of a property, or the whole signature of another member. */
  readonly type: string;
  readonly doc?: DocComment;
}

/** One declaration of an exported name. */
export interface Item {
  readonly name: string;
  readonly kind: 'class' | 'constant' | 'function' | 'interface' | 'type';
  /** The folder that declares it, such as `constructs/pki`. */
  readonly room: string;
  readonly signature: string;
  readonly doc?: DocComment;
  readonly members: readonly Member[];
  /** Names of the classes and interfaces that it inherits from. */
  readonly bases: readonly string[];
  /** Names of members of its bases that it omits. */
  readonly leftOut: readonly string[];
  /** Names of the types of its parameters or of its constructor's parameters. */
  readonly parameters: readonly string[];
}

/** All exports of the package, ordered by name. */
export function readItems(): readonly Item[] {
  return withDeclarations((declarations, textOf) => {
    const texts = new Map<string, Buffer>();
    const bytesOf = (path: string) => {
      const bytes = texts.get(path) ?? Buffer.from(textOf(path));
      texts.set(path, bytes);
      return bytes;
    };
    const entries = [...entriesOf(declarations, MODULES)];
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1)).map((entry) => itemOf(entry, bytesOf(entry.path)));
  });
}

const KINDS: Readonly<Record<string, Item['kind']>> = {
  ClassDeclaration: 'class',
  FunctionDeclaration: 'function',
  TsInterfaceDeclaration: 'interface',
  VariableDeclaration: 'constant',
};

function itemOf({ name, path, signature, declaration }: Entry, bytes: Buffer): Item {
  const general = { name, signature, room: dirname(path).replace(/^lib\//, '') };
  if (declaration === undefined)
    return { ...general, kind: 'type', members: [], bases: [], leftOut: [], parameters: [] };
  const members = membersOf(declaration).map((member) => memberOf(member, declaration, bytes));
  return {
    ...general,
    kind: KINDS[declaration.type] ?? 'type',
    doc: commentAt(declaration.span.start, bytes),
    members,
    ...basesOf(declaration),
    parameters: parametersOf(declaration),
  };
}

type AnyMember = ClassMember | TsTypeElement;

function membersOf(declaration: Declaration): readonly AnyMember[] {
  if (declaration.type === 'ClassDeclaration') return declaration.body;
  if (declaration.type === 'TsInterfaceDeclaration') return declaration.body.body;
  const [variable] = declaration.type === 'VariableDeclaration' ? declaration.declarations : [];
  const annotation = (
    variable?.id as { typeAnnotation?: { typeAnnotation?: { type: string; members?: TsTypeElement[] } } }
  )?.typeAnnotation?.typeAnnotation;
  if (annotation?.type === 'TsTypeLiteral') return annotation.members ?? [];
  if (declaration.type !== 'TsTypeAliasDeclaration') return [];
  const literals = partsOf(declaration.typeAnnotation).flatMap((part) =>
    part.type === 'TsTypeLiteral' ? part.members : [],
  );
  // Types of a union repeat common members, and declare forbidden members as never: one declaration is shown.
  const byName = Map.groupBy(literals, nameOf);
  return [...byName.values()].flatMap((same) => same.find((member) => !isNever(member)) ?? []);
}

function partsOf(type: TsType): readonly TsType[] {
  if (type.type === 'TsParenthesizedType') return partsOf(type.typeAnnotation);
  return type.type === 'TsIntersectionType' || type.type === 'TsUnionType' ? type.types.flatMap(partsOf) : [type];
}

function isNever(member: TsTypeElement): boolean {
  const type = 'typeAnnotation' in member ? member.typeAnnotation?.typeAnnotation : undefined;
  return type?.type === 'TsKeywordType' && (type.kind === 'never' || type.kind === 'undefined');
}

function memberOf(member: AnyMember, declaration: Declaration, bytes: Buffer): Member {
  const text = printedMember(member, declaration);
  const facts = {
    name: nameOf(member),
    isOptional: 'optional' in member && member.optional === true,
    isStatic: 'isStatic' in member && member.isStatic,
    doc: commentAt(member.span.start, bytes),
  };
  if (member.type === 'Constructor') return { ...facts, kind: 'constructor', type: text };
  const [, type] = /^(?:static |readonly )*'?[\w$-]+'?\??(?:: | = )([\s\S]*?);?$/.exec(text) ?? [];
  const isFunction = member.type === 'ClassMethod' || member.type === 'TsMethodSignature';
  const isGetter = /^(?:static )?get /.test(text);
  if (isGetter) return { ...facts, kind: 'property', type: text.replace(/^[\s\S]*?\(\): /, '').replace(/;$/, '') };
  return isFunction || type === undefined
    ? { ...facts, kind: 'method', type: text }
    : { ...facts, kind: 'property', type };
}

/** Returns the code of one member: prints a class or an interface with only this member, without the outer lines. */
function printedMember(member: AnyMember, declaration: Declaration): string {
  const span = { start: 0, end: 0, ctxt: 0 };
  const shell =
    declaration.type === 'ClassDeclaration'
      ? { ...declaration, superClass: undefined, implements: [], body: [member] }
      : {
          type: 'TsInterfaceDeclaration',
          span,
          id: { type: 'Identifier', span, ctxt: 0, value: 'A', optional: false },
          declare: false,
          extends: [],
          body: { type: 'TsInterfaceBody', span, body: [member] },
        };
  const lines = printed(shell as unknown as Declaration)
    .split('\n')
    .slice(1, -1);
  return lines.map((line) => line.replace(/^ {2}/, '')).join('\n');
}

function nameOf(member: AnyMember): string {
  if (member.type === 'Constructor') return 'constructor';
  const { key } = member as { key?: { value?: unknown; type: string } };
  return key === undefined ? '[key]' : String(key.value ?? '[key]');
}

/** A limit on the length of doc comments, in bytes. */
const MAX_COMMENT_LENGTH = 8000;

function commentAt(start: number, bytes: Buffer): DocComment | undefined {
  // Positions count bytes, from 1.
  const text = bytes.subarray(Math.max(0, start - 1 - MAX_COMMENT_LENGTH), start - 1).toString('utf8');
  return commentBefore(text, text.length);
}

function basesOf(declaration: Declaration): Pick<Item, 'bases' | 'leftOut'> {
  if (declaration.type === 'ClassDeclaration') {
    const base = declaration.superClass as { value?: string } | undefined;
    return { bases: base?.value === undefined ? [] : [base.value], leftOut: [] };
  }
  if (declaration.type === 'TsInterfaceDeclaration') {
    const bases = declaration.extends.flatMap(({ expression }) =>
      'value' in expression ? [String(expression.value)] : [],
    );
    return { bases, leftOut: [] };
  }
  const parts = declaration.type === 'TsTypeAliasDeclaration' ? partsOf(declaration.typeAnnotation) : [];
  const joined = parts.flatMap((part) => (part.type === 'TsTypeReference' ? [baseIn(part)] : []));
  return { bases: joined.map(({ base }) => base), leftOut: joined.flatMap(({ leftOut }) => leftOut) };
}

/** The base type of a reference: `Omit<Props, 'a'>` has the base Props and leaves out `a`. */
function baseIn({ typeName, typeParams }: TsTypeReference): {
  readonly base: string;
  readonly leftOut: readonly string[];
} {
  const name = 'value' in typeName ? typeName.value : '';
  const [of, keys] = typeParams?.params ?? [];
  if (name !== 'Omit' || of?.type !== 'TsTypeReference' || keys === undefined) return { base: name, leftOut: [] };
  const leftOut = partsOf(keys).flatMap((key) =>
    key.type === 'TsLiteralType' && key.literal.type === 'StringLiteral' ? [key.literal.value] : [],
  );
  const inner = baseIn(of);
  return { base: inner.base, leftOut: [...inner.leftOut, ...leftOut] };
}

function parametersOf(declaration: Declaration): readonly string[] {
  const constructors =
    declaration.type === 'ClassDeclaration' ? declaration.body.filter(({ type }) => type === 'Constructor') : [];
  const signatures = declaration.type === 'FunctionDeclaration' ? [declaration] : constructors;
  const names: string[] = [];
  for (const signature of signatures) {
    visitNodes({ params: (signature as { params?: unknown }).params }, (node) => {
      const name = node.typeName as { value?: unknown } | undefined;
      if (node.type === 'TsTypeReference' && typeof name?.value === 'string') names.push(name.value);
    });
  }
  return names;
}
