import { type ClassMember, type Declaration, printSync, type TsTypeElement } from '@swc/core';
import { identifierOf } from './declarations';
import { type Node, replaced } from './syntax';

/** Returns a declaration under a public name, with only its public members, sorted by name. */
export function publicPart(declaration: Declaration, name: string, typeOnly: boolean): Declaration {
  const copy = { ...replaced(declaration, withoutPattern), declare: false };
  identifierOf(copy).value = name;
  if (copy.type === 'ClassDeclaration') {
    const members = copy.body.filter((member) => isPublic(member) && !(typeOnly && isOfTheClass(member)));
    return { ...copy, body: sorted(members) };
  }
  if (copy.type === 'TsInterfaceDeclaration') return { ...copy, body: { ...copy.body, body: sorted(copy.body.body) } };
  return copy;
}

/** Replaces the destructuring pattern of a function's props, which is not part of the API. */
const withoutPattern = (node: Node): Node | undefined =>
  node.type === 'ObjectPattern' ? { ...node, type: 'Identifier', ctxt: 0, value: 'props' } : undefined;

/** Prints a declaration, without comments, which the syntax tree does not contain. */
export function printed(declaration: Declaration): string {
  const span = { start: 0, end: 0, ctxt: 0 };
  const code = printSync({ type: 'Module', span, body: [declaration], interpreter: null as never }).code.trim();
  return code.replace(/^(?: {4})+/gm, (indent) => '  '.repeat(indent.length / 4));
}

type Member = ClassMember | TsTypeElement;

function isPublic(member: ClassMember): boolean {
  if (member.type === 'PrivateMethod' || member.type === 'PrivateProperty') return false;
  const accessibility = 'accessibility' in member ? member.accessibility : undefined;
  return accessibility !== 'private' && accessibility !== 'protected';
}

const isOfTheClass = (member: ClassMember): boolean =>
  member.type === 'Constructor' || ('isStatic' in member && member.isStatic);

/** Overloads keep their order. */
const sorted = <T extends Member>(members: readonly T[]): T[] =>
  [...members].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : orderOf(a) > orderOf(b) ? 1 : 0));

/** The constructor comes first, then static members. */
function orderOf(member: Member): string {
  if (member.type === 'Constructor') return '0';
  const isStatic = 'isStatic' in member && member.isStatic;
  return `${isStatic ? 1 : 2} ${'key' in member ? keyText(member.key) : ''}`;
}

const keyText = (key: object): string => ('value' in key ? String(key.value) : JSON.stringify(key));
