import type { ClassMember, Declaration, TsTypeElement } from '@swc/core';
import { withDeclarations } from '../../api/declarations';
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
  /** Of a property its type, of all else the whole signature. */
  readonly type: string;
  readonly doc?: DocComment;
}

/** One declaration of an exported name. */
export interface Item {
  readonly name: string;
  readonly kind: 'class' | 'constant' | 'function' | 'interface' | 'type';
  /** The room of the library that it comes from. */
  readonly room: string;
  readonly signature: string;
  readonly doc?: DocComment;
  readonly members: readonly Member[];
  /** Names of the classes and interfaces whose members it has, too. */
  readonly bases: readonly string[];
  /** Names of the types of its parameters, or of its constructor's. */
  readonly parameters: readonly string[];
}

/** All that the package exports, in the order of names. */
export function readItems(): readonly Item[] {
  return withDeclarations((declarations, textOf) => {
    const texts = new Map<string, Buffer>();
    const bytesOf = (path: string) => {
      const bytes = texts.get(path) ?? Buffer.from(textOf(path));
      texts.set(path, bytes);
      return bytes;
    };
    const entries = [...entriesOf(declarations, 'lib/index.d.ts')];
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
  const [folder = '', room = ''] = path.replace(/\.d\.ts$/, '').split('/');
  const general = { name, signature, room: folder === 'lib' ? room : folder };
  if (declaration === undefined) return { ...general, kind: 'type', members: [], bases: [], parameters: [] };
  const members = membersOf(declaration).map((member) => memberOf(member, declaration, bytes));
  return {
    ...general,
    kind: KINDS[declaration.type] ?? 'type',
    doc: commentAt(declaration.span.start, bytes),
    members,
    bases: basesOf(declaration),
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
  if (declaration.type === 'TsTypeAliasDeclaration' && declaration.typeAnnotation.type === 'TsTypeLiteral')
    return declaration.typeAnnotation.members;
  return [];
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

/** Prints a member within a class or an interface of its own, and takes it out. */
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

/** Doc comments are at most this long, and stand right before what they are about. */
const LONGEST_COMMENT = 8000;

function commentAt(start: number, bytes: Buffer): DocComment | undefined {
  // Positions count bytes, from 1.
  const text = bytes.subarray(Math.max(0, start - 1 - LONGEST_COMMENT), start - 1).toString('utf8');
  return commentBefore(text, text.length);
}

function basesOf(declaration: Declaration): readonly string[] {
  if (declaration.type === 'ClassDeclaration') {
    const base = declaration.superClass as { value?: string } | undefined;
    return base?.value === undefined ? [] : [base.value];
  }
  if (declaration.type !== 'TsInterfaceDeclaration') return [];
  return declaration.extends.flatMap(({ expression }) => ('value' in expression ? [String(expression.value)] : []));
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
