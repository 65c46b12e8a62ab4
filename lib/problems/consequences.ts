import type { Violation } from '../../operator/api/problem';
import type { Finding } from './finding';

/** A construct tree as far as causes go: constructs by number, parents before children. */
export interface CauseTree {
  readonly paths: readonly string[];
  /** The parent of each construct; -1 for the root. */
  readonly parents: readonly number[];
  /** Pairs of a construct and one that it is made with, or comes after. */
  readonly dependencies: readonly (readonly [dependent: number, dependency: number])[];
  /** Constructs whose objects are rendered from the same values. */
  readonly renders: ReadonlySet<number>;
}

/** A finding that tells which rule is broken, its place in the tree, and its number among all findings. */
interface Effect {
  readonly violates: Violation;
  readonly construct: number | undefined;
  readonly order: number;
}

/**
 * The findings without those that follow from others: a value that was refused at one construct breaks the same rule in
 * all that is made of it. One is dropped only where a construct around it, or one that it depends on, violates the same
 * rule with the same value, or where its object is rendered from the same values.
 */
export function withoutConsequences(findings: readonly Finding[], tree: CauseTree): readonly Finding[] {
  const numbers = new Map(tree.paths.map((path, number) => [path, number]));
  const byRule = new Map<string, Effect[]>();
  const effects = findings.map(({ path, problem: { violates } }, order) => {
    if (violates === undefined) return undefined;
    const effect = { violates, construct: numbers.get(path), order };
    const alike = byRule.get(violates.rule);
    if (alike === undefined) byRule.set(violates.rule, [effect]);
    else alike.push(effect);
    return effect;
  });
  const causes = new Causes(tree);
  return findings.filter((_, order) => {
    const effect = effects[order];
    if (effect === undefined) return true;
    const others = (byRule.get(effect.violates.rule) ?? []).filter((other) => isSame(other.violates, effect.violates));
    return !others.some((other) => other !== effect && causes.explains(other, effect));
  });
}

/** Tells whether the value that breaks a rule is the same as another, or stands in that as a word: in a longer name. */
export function isSame({ rule, value }: Violation, other: Violation): boolean {
  if (rule !== other.rule) return false;
  if (value === other.value) return true;
  const [before, ...after] = other.value.split(value);
  return /[a-z]/i.test(value) && after.length > 0 && isEnd(before?.at(-1)) && isEnd(after[0]?.at(0));
}

function isEnd(character = ''): boolean {
  return !/[a-z0-9]/i.test(character);
}

class Causes {
  private readonly reached = new Map<number, ReadonlySet<number>>();

  constructor(private readonly tree: CauseTree) {}

  explains(cause: Effect, effect: Effect): boolean {
    const [from, to] = [cause.construct, effect.construct];
    const isEarlier = cause.order < effect.order;
    if (from === undefined || to === undefined || from === to) return from === to && isEarlier;
    if (this.isWithin(to, from)) return true;
    if (this.isWithin(from, to)) return false;
    if (this.renderOf(from) !== undefined && this.renderOf(from) === this.renderOf(to)) return isEarlier;
    // Of two that depend on each other, which is an error of its own, one is to stay.
    return this.dependsOn(to, from) && (isEarlier || !this.dependsOn(from, to));
  }

  private isWithin(construct: number, ancestor: number): boolean {
    return this.scopesOf(construct).includes(ancestor);
  }

  /** A construct and all around it, from within. */
  private scopesOf(construct: number): readonly number[] {
    const scopes: number[] = [];
    for (let scope = construct; scope !== -1; scope = this.tree.parents[scope] ?? -1) scopes.push(scope);
    return scopes;
  }

  private renderOf(construct: number): number | undefined {
    return this.scopesOf(construct).find((scope) => this.tree.renders.has(scope));
  }

  /** Tells whether a construct depends on another, on something in it or on something around it. */
  private dependsOn(construct: number, other: number): boolean {
    const reached = this.reached.get(construct) ?? this.dependenciesOf(construct);
    this.reached.set(construct, reached);
    return [...reached].some((one) => this.isWithin(other, one) || this.isWithin(one, other));
  }

  /** All that a construct depends on, and what that depends on in turn. */
  private dependenciesOf(construct: number): ReadonlySet<number> {
    const reached = new Set<number>();
    const scopes = new Set(this.scopesOf(construct));
    // A dependency of a component is one of all that is in it.
    const isOf = (dependent: number) =>
      scopes.has(dependent) || this.scopesOf(dependent).some((scope) => reached.has(scope));
    for (let size = -1; size < reached.size; ) {
      size = reached.size;
      for (const [dependent, dependency] of this.tree.dependencies) {
        if (reached.has(dependency) || !isOf(dependent)) continue;
        reached.add(dependency);
        for (const scope of this.scopesOf(dependency)) scopes.add(scope);
      }
    }
    return reached;
  }
}
