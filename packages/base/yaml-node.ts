import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import { remembered } from './remembered';

/**
 * Returns the node at a path of keys and indexes, or its nearest existing parent. For a member of a map, this is the
 * node of the key.
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
  const pair = isMap(holder) ? pairsOf(holder).get(segment) : undefined;
  return isScalar(pair?.key) ? { place: pair.key, node: pair.value } : undefined;
}

/** Cached: a file may have thousands of findings. */
const pairsOf = remembered(
  ({ items }: YAMLMap): ReadonlyMap<string, Pair> =>
    new Map(items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [])).reverse()),
);
