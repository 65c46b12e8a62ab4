import { components, type Digraph, longestPaths, reachableFrom, reversed } from './digraph';
import { beginning, end, isDependency } from './order-graph';

interface FolderLeaves {
  readonly objects: readonly number[];
  readonly releases: readonly number[];
  /** The objects that come before all others (namespaces, CRDs). */
  readonly first: ReadonlySet<number>;
  /**
   * The objects that come before `first` or, if one of them has a dependency, after `first` and before all others.
   *
   * @default - none
   */
  readonly ahead?: ReadonlySet<number>;
}

/** The sync order of a cluster's constructs. */
export class SyncOrder {
  private readonly backwards: Digraph;
  private readonly lengths: readonly (number | undefined)[];

  /** @param graph the order graph; with cycles, only `isComplete` is valid */
  constructor(private readonly graph: Digraph) {
    this.backwards = reversed(graph);
    this.lengths = longestPaths(graph, (from, to) => (isDependency(from, to) ? 1 : 0));
  }

  /** Whether each construct has a place in the order; false if there are cycles. */
  get isComplete(): boolean {
    return !this.lengths.includes(undefined);
  }

  /**
   * Returns the stage of an object or chart; for a component, that of its first object. A stage is the number of
   * consecutive dependencies that must be met before, along the longest chain: a dependent begins in a later stage than
   * its dependency ends.
   */
  stageOf(construct: number): number {
    return this.lengths[beginning(construct)] ?? 0;
  }

  /** Returns the stage of the last object or chart of a component. */
  lastStageOf(construct: number): number {
    return this.lengths[end(construct)] ?? 0;
  }

  /**
   * Returns the Argo CD sync waves of one folder's objects, which order them within the folder's Application.
   *
   * A chart's own objects cannot have a wave: they are all in wave 0, however many charts the folder has, and Argo CD
   * waits until one wave is healthy before it starts the next. Therefore dependencies of the folder's charts get
   * negative waves, and dependents of a chart positive ones. Objects between two charts of the folder share wave 0 with
   * them, where Argo CD's order of kinds (CRDs first, custom resources last) applies: any other wave would make each
   * wait for the other. Within these groups waves follow the stages, without gaps, so that changes elsewhere do not
   * move them.
   *
   * Objects in `ahead` get waves before all others, by their stages, without moving the others. If an object in `ahead`
   * has a dependency, the objects in `first` get such waves, too: one of them may be the namespace of that object.
   */
  wavesOf({ ahead = new Set(), objects, ...folder }: FolderLeaves): ReadonlyMap<number, number> {
    const { first } = folder;
    const isOrdered = objects.some((object) => ahead.has(object) && !first.has(object));
    const isAhead = (object: number) => ahead.has(object) || (isOrdered && first.has(object));
    const early = objects.filter(isAhead);
    const waves = this.wavesWithout({ ...folder, objects: objects.filter((object) => !isAhead(object)) });
    const ranks = this.ranks(early);
    const earliest = Math.min(0, ...waves.values()) - ranks.size;
    return new Map([
      ...waves,
      ...early.map((object) => [object, earliest + (ranks.get(this.stageOf(object)) ?? 0)] as const),
    ]);
  }

  private wavesWithout(folder: FolderLeaves): ReadonlyMap<number, number> {
    const { before, between, after, others } = this.sides(folder);
    const early = this.ranks(before);
    const late = this.ranks([...after, ...others]);
    // Objects that need no chart may share the wave of the charts; dependents of a chart must not.
    const firstLate = after.some((object) => late.get(this.stageOf(object)) === 0) ? 1 : 0;
    const rank = (ranks: ReadonlyMap<number, number>, object: number) => ranks.get(this.stageOf(object)) ?? 0;
    return new Map([
      ...before.map((object) => [object, rank(early, object) - early.size] as const),
      ...between.map((object) => [object, 0] as const),
      ...[...after, ...others].map((object) => [object, rank(late, object) + firstLate] as const),
    ]);
  }

  private sides({ objects, releases, first }: FolderLeaves) {
    const sides = { before: [] as number[], between: [] as number[], after: [] as number[], others: [] as number[] };
    if (releases.length === 0) return { ...sides, others: objects };
    const needed = reachableFrom(this.backwards, releases.map(beginning));
    const needing = reachableFrom(this.graph, releases.map(end));
    for (const object of objects) {
      const isNeeded = needed.has(end(object)) || first.has(object);
      if (needing.has(beginning(object))) sides[isNeeded ? 'between' : 'after'].push(object);
      else sides[isNeeded ? 'before' : 'others'].push(object);
    }
    return sides;
  }

  private ranks(objects: readonly number[]): ReadonlyMap<number, number> {
    const stages = [...new Set(objects.map((object) => this.stageOf(object)))].sort((a, b) => a - b);
    return new Map(stages.map((stage, rank) => [stage, rank]));
  }
}

/**
 * Returns the stage at which each whole folder can be synced. A folder has a larger stage than every folder that it
 * needs, directly or indirectly; folders that need each other share a stage.
 *
 * Stages of single objects cannot decide this: the earliest or latest object of a folder may be unrelated to what
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

function withFolders(graph: Digraph, folders: readonly (readonly number[])[]): Digraph {
  const merged: number[][] = graph.map((successors) => [...successors]);
  for (const leaves of folders) {
    const folder = merged.length;
    merged.push(leaves.map(beginning));
    for (const leaf of leaves) merged[end(leaf)]?.push(folder);
  }
  return merged;
}

function inOrderOf(component: readonly number[]): readonly number[] {
  const nodes: number[][] = [];
  component.forEach((number, node) => {
    const known = nodes[number];
    if (known === undefined) nodes[number] = [node];
    else known.push(node);
  });
  return nodes.flat();
}
