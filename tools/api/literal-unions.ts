import { isIdentifier, type Node, replaced } from './syntax';

type ConstantType = (name: string) => object | undefined;

/**
 * Spells out `keyof typeof TABLE`, `(typeof LIST)[number]`, and a column of a list of lists, `(typeof
 * LIST)[number][0]`, or of one of its rows, `(typeof LIST)[0][0]`, because a new key or element changes the API.
 */
export function withLiteralUnions<T extends object>(declaration: T, typeOf: ConstantType): T {
  return replaced(declaration, (node) => {
    const keys = node.type === 'TsTypeOperator' && node.op === 'keyof';
    const constant = constantIn(keys ? node.typeAnnotation : undefined);
    const type = constant === undefined ? undefined : (typeOf(constant) as Node | undefined);
    const literals = type === undefined ? elementsOf(node, typeOf) : keysOf(type);
    return literals.length === 0 ? undefined : { type: 'TsUnionType', span: node.span, types: literals };
  });
}

function elementsOf(node: Node, typeOf: ConstantType): readonly Node[] {
  const { type, indexType, objectType } = node;
  if (type !== 'TsIndexedAccessType') return [];
  const constant = constantIn(objectType);
  const list = constant === undefined ? undefined : (typeOf(constant) as Node | undefined);
  const rows = list === undefined ? elementsOf(objectType as Node, typeOf) : [list];
  const index = indexOf(indexType as Node);
  const elements = rows.map(elementTypesOf).flatMap((row) => (index === 'number' ? row : row.slice(index, index + 1)));
  const texts = elements.map(({ literal }) => JSON.stringify((literal as Node | undefined)?.value));
  return elements.filter((_, at) => texts[at] === undefined || texts.indexOf(texts[at]) === at);
}

function indexOf({ kind, literal }: Node): number | 'number' {
  return kind === 'number' ? kind : Number((literal as Node | undefined)?.value);
}

function constantIn(value: unknown): string | undefined {
  const node = value as Node | undefined;
  if (node?.type === 'TsParenthesizedType') return constantIn(node.typeAnnotation);
  return node?.type === 'TsTypeQuery' && isIdentifier(node.exprName) ? node.exprName.value : undefined;
}

function keysOf({ type, members, span }: Node): readonly Node[] {
  if (type !== 'TsTypeLiteral') return [];
  return (members as readonly { readonly key: { readonly value: string } }[]).map(({ key }) =>
    literal(key.value, span),
  );
}

/** A literal type in the quotes of the sources: the compiler uses other quotes for inferred types. */
const literal = (value: string, span: unknown): Node => ({
  type: 'TsLiteralType',
  span,
  literal: { type: 'StringLiteral', span, value, raw: `'${value}'` },
});

function elementTypesOf(node: Node): readonly Node[] {
  if (node.type === 'TsTypeOperator') return elementTypesOf(node.typeAnnotation as Node);
  if (node.type !== 'TsTupleType') return [];
  return (node.elemTypes as readonly { readonly ty: Node & { readonly literal?: Node } }[]).map(({ ty }) =>
    ty.literal?.type === 'StringLiteral' ? literal(ty.literal.value as string, ty.span) : ty,
  );
}
