import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node } from 'yaml';

/**
 * Returns the node at a path of keys and indexes, or its nearest existing parent. A key with its value is at the place
 * of the key.
 */
export function nearestNode(document: Document.Parsed, path: readonly string[]): Node {
  let place = document.contents as Node;
  let node: unknown = place;
  for (const segment of path) {
    const holder = isAlias(node) ? node.resolve(document) : node;
    const found = childOf(holder, segment);
    if (found === undefined) break;
    place = found.place;
    node = found.node;
  }
  return place;
}

function childOf(holder: unknown, segment: string): { readonly place: Node; readonly node: unknown } | undefined {
  if (isSeq(holder)) {
    const node = holder.items[Number(segment)];
    return isNode(node) ? { place: node, node } : undefined;
  }
  if (!isMap(holder)) return undefined;
  const pair = holder.items.find(({ key }) => isScalar(key) && String(key.value) === segment);
  return isScalar(pair?.key) ? { place: pair.key, node: pair.value } : undefined;
}
