import type { ValuesKnowledge } from './value-types';

const WHERE = 'see tools/import/values-knowledge.ts';

/** An import fails if the type of a key cannot be determined, so that no key accepts anything. */
export function refuseUnclear(paths: readonly string[]): void {
  if (paths.length > 0) throw new Error(`upstream does not define the types of ${paths.join(', ')}: ${WHERE}`);
}

/** An import fails for knowledge about keys that upstream lacks, such as keys that it has removed. */
export function refuseUnused(knowledge: ValuesKnowledge, used: ReadonlySet<string>): void {
  const unused = Object.keys(knowledge.byPath).filter((path) => !used.has(path));
  if (unused.length > 0) throw new Error(`upstream lacks ${unused.join(', ')}, but their types are given: ${WHERE}`);
}
