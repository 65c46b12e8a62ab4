import { components, type Digraph } from './digraph';
import { beginning, end } from './order-graph';

/**
 * Returns the stage at which each folder can be synced as a whole: a folder has a larger stage than every folder that
 * it needs something from, directly or through others, unless they need each other, which gives them the same stage.
 *
 * Stages of single objects cannot tell this: the earliest or latest object of a folder may have nothing to do with what
 * another folder waits for, and an order by either can make two folders wait for each other.
 */
export function folderStages(graph: Digraph, folders: readonly (readonly number[])[]): readonly number[] {
  const merged = withFolders(graph, folders);
  const component = components(merged);
  const folderComponents = folders.map((_, index) => component[graph.length + index] ?? 0);
  const holdsFolder = new Set(folderComponents);
  const stages: number[] = [];
  for (const node of inOrderOf(component)) {
    const own = component[node] ?? 0;
    const passed = (stages[own] ?? 0) + (holdsFolder.has(own) ? 1 : 0);
    for (const successor of merged[node] ?? []) {
      const next = component[successor] ?? 0;
      if (next !== own) stages[next] = Math.max(stages[next] ?? 0, passed);
    }
  }
  return folderComponents.map((folder) => stages[folder] ?? 0);
}

/** The graph with a node more for each folder, which stands for all that is in the folder. */
function withFolders(graph: Digraph, folders: readonly (readonly number[])[]): Digraph {
  const merged: number[][] = graph.map((successors) => [...successors]);
  for (const leaves of folders) {
    const folder = merged.length;
    merged.push(leaves.map(beginning));
    for (const leaf of leaves) merged[end(leaf)]?.push(folder);
  }
  return merged;
}

/** Node numbers, those of lower components first. */
function inOrderOf(component: readonly number[]): readonly number[] {
  const nodes: number[][] = [];
  component.forEach((number, node) => {
    const others = nodes[number];
    if (others === undefined) nodes[number] = [node];
    else others.push(node);
  });
  return nodes.flat();
}
