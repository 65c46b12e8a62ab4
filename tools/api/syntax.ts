/** A node of a syntax tree, of any type. */
export type Node = Record<string, unknown>;

export type IdentifierNode = Node & { value: string };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Returns a copy of a tree with some nodes replaced. */
export function replaced<T>(tree: T, replacement: (node: Node) => Node | undefined): T {
  if (Array.isArray(tree)) return tree.map((child) => replaced(child, replacement)) as T;
  if (!isNode(tree)) return tree;
  const node = replacement(tree) ?? tree;
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, replaced(child, replacement)])) as T;
}

/** Visits all nodes of a tree. */
export function visitNodes(tree: unknown, visit: (node: Node) => void): void {
  if (!isNode(tree)) return;
  if (!Array.isArray(tree)) visit(tree);
  for (const child of Object.values(tree)) visitNodes(child, visit);
}

export const isIdentifier = (node: unknown): node is IdentifierNode => isNode(node) && node.type === 'Identifier';
