import { type IdentifierNode, isIdentifier, type Node, visitNodes } from './syntax';

/** The places in which a node refers to a type or a value: other identifiers are names of members and parameters. */
const REFERENCES: readonly (readonly [type: string, key: string])[] = [
  ['TsTypeReference', 'typeName'],
  ['TsTypeQuery', 'exprName'],
  ['TsExpressionWithTypeArguments', 'expression'],
  ['ClassDeclaration', 'superClass'],
  ['Computed', 'expression'],
];

/** Visits the names to which a declaration refers, without those of its type parameters. */
export function visitShownNames(declaration: object, visit: (name: IdentifierNode) => void): void {
  const own = new Set<string>();
  visitNodes(declaration, ({ type, name }) => {
    if (type === 'TsTypeParameter' && isIdentifier(name)) own.add(name.value);
  });
  visitNodes(declaration, (node) => {
    if (node.type === 'TsImportType') throw new Error('a signature shows an inferred import(): declare its type');
    for (const [type, key] of REFERENCES) {
      const name = node.type === type ? leftmost(node[key]) : undefined;
      if (name !== undefined && !own.has(name.value)) visit(name);
    }
  });
}

function leftmost(value: unknown): IdentifierNode | undefined {
  if (isIdentifier(value)) return value;
  const node = value as Node | undefined;
  if (node?.type === 'TsQualifiedName') return leftmost(node.left);
  return node?.type === 'MemberExpression' ? leftmost(node.object) : undefined;
}
