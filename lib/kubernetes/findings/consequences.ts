import type { Problem, Violation } from '../../../operator/api/kubernetes/problem';
import type { Finding } from './finding';

/** A construct tree as far as causes go: constructs by number, each right before all that is in it. */
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
  readonly problem: Problem;
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
  const effects = findings.map(({ path, problem }, order) => {
    const { violates } = problem;
    return violates === undefined ? undefined : { violates, problem, construct: numbers.get(path), order };
  });
  const known = new KnownValues(effects.filter((effect) => effect !== undefined));
  const causes = new Causes(tree);
  return findings.filter((_, order) => {
    const effect = effects[order];
    return effect === undefined || !known.causesOf(effect).some((cause) => causes.explains(cause, effect));
  });
}

/**
 * Tells whether what breaks a rule is the same mistake as another: the same value, or one that stands in the other as a
 * word, as a name does in a longer one. A value that has no form may be a secret as well, and what is referred to by a
 * name that nothing can have does not exist.
 */
export function isSame(one: Violation, other: Violation): boolean {
  if (other.rule === 'reference') return isRefused(one, other.value);
  if (one.rule === other.rule) return isIn(one, other);
  if (one.rule === 'secret' && other.rule === 'form') return other.value.includes(`<${one.value}>`);
  return one.rule === 'form' && other.rule === 'secret' && one.value.includes(`<${other.value}>`);
}

function isRefused({ rule, value }: Violation, reference: string): boolean {
  if (rule === 'form') return namesIn(reference).includes(value);
  return rule === 'secret' && reference.includes(`<${value}>`);
}

/** The name and namespace that a reference consists of, wherever it is parted: `Secret linkerd/anchor`. */
function namesIn(reference: string): readonly string[] {
  const text = reference.slice(reference.indexOf(' ') + 1);
  const slashes = [...text.matchAll(/\//g)].map(({ index }) => index);
  return [text, ...slashes.flatMap((at) => [text.slice(0, at), text.slice(at + 1)])];
}

function isIn({ value }: Violation, other: Violation): boolean {
  if (value === other.value) return true;
  if (!/\p{L}/u.test(value)) return false;
  const [before, ...after] = other.value.split(value);
  return after.length > 0 && isEnd(before?.at(-1)) && isEnd(after[0]?.at(0));
}

/** Tells two places of one construct apart that have the same value: one check says the same of both. */
function areBeside(one: Problem, other: Problem): boolean {
  return one.code === other.code && one.what !== other.what;
}

function isEnd(character = ''): boolean {
  return !/[\p{L}\p{N}]/u.test(character);
}

/** Findings by their values, so that not each has to be compared with all others. */
class KnownValues {
  private readonly byText = new Map<string, Violating[]>();
  private readonly byWord = new Map<string, Violating[]>();
  private readonly known = new Map<string, readonly Effect[]>();

  constructor(effects: readonly Effect[]) {
    const alike = new Map<string, Violating>();
    for (const effect of effects) {
      const { violates } = effect;
      const key = keyOf(violates);
      const same = alike.get(key);
      if (same !== undefined) same.effects.push(effect);
      else alike.set(key, this.add({ violates, effects: [effect] }));
    }
  }

  /** The findings of what may be the same mistake, that of the effect itself not included. */
  causesOf(effect: Effect): readonly Effect[] {
    const key = keyOf(effect.violates);
    const found = this.known.get(key) ?? this.find(effect.violates);
    this.known.set(key, found);
    return found.length > 1 || found[0] !== effect ? found.filter((cause) => cause !== effect) : [];
  }

  private add(violating: Violating): Violating {
    const { value } = violating.violates;
    const [word] = wordsOf(value).sort((a, b) => b.length - a.length);
    append(this.byText, value, violating);
    // All words of a value are words of each text in which it stands.
    if (word !== undefined) append(this.byWord, word, violating);
    return violating;
  }

  private find({ rule, value }: Violation): readonly Effect[] {
    const words = [...new Set(wordsOf(value))];
    const texts = rule === 'reference' ? namesIn(value) : [value];
    const candidates = new Set([
      ...texts.flatMap((text) => this.byText.get(text) ?? []),
      ...words.flatMap((word) => this.byWord.get(word) ?? []),
    ]);
    return [...candidates]
      .filter(({ violates }) => isSame(violates, { rule, value }))
      .flatMap(({ effects }) => effects);
  }
}

/** A rule that is broken by a value, and where. */
interface Violating {
  readonly violates: Violation;
  readonly effects: Effect[];
}

function keyOf({ rule, value }: Violation): string {
  return `${rule} ${value}`;
}

function wordsOf(value: string): string[] {
  return value.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function append<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** For how many constructs it is known what they depend on: each may depend on all others. */
const MOST_REACHED = 256;

class Causes {
  /** The number after that of the last construct within each. */
  private readonly ends: readonly number[];
  /** The render that each construct is in. */
  private readonly renderOf: readonly (number | undefined)[];
  private readonly dependenciesAt = new Map<number, number[]>();
  private readonly reached = new Map<number, ReadonlySet<number>>();

  constructor(private readonly tree: CauseTree) {
    this.ends = endsOf(tree);
    this.renderOf = rendersOf(tree);
    for (const [dependent, dependency] of tree.dependencies) append(this.dependenciesAt, dependent, dependency);
  }

  explains(cause: Effect, effect: Effect): boolean {
    const [from, to] = [cause.construct, effect.construct];
    const isEarlier = cause.order < effect.order;
    if (from === to) return isEarlier && !areBeside(cause.problem, effect.problem);
    if (from === undefined || to === undefined) return false;
    if (this.isWithin(to, from)) return true;
    if (this.isWithin(from, to)) return false;
    if (this.renderOf[from] !== undefined && this.renderOf[from] === this.renderOf[to]) return isEarlier;
    // Secrets have no value that tells one from another: those of others may be other ones.
    if ([cause, effect].some(({ violates }) => violates.rule === 'secret')) return false;
    // Of two that depend on each other, which is an error of its own, one is to stay.
    return this.dependsOn(to, from) && (isEarlier || !this.dependsOn(from, to));
  }

  private isWithin(construct: number, ancestor: number): boolean {
    return construct >= ancestor && construct < this.endOf(ancestor);
  }

  private endOf(construct: number): number {
    return this.ends[construct] ?? construct + 1;
  }

  /** A construct and all around it, from within. */
  private scopesOf(construct: number): readonly number[] {
    const scopes: number[] = [];
    for (let scope = construct; scope !== -1; scope = this.tree.parents[scope] ?? -1) scopes.push(scope);
    return scopes;
  }

  /** Tells whether a construct depends on another, on something in it or on something around it. */
  private dependsOn(construct: number, other: number): boolean {
    const reached = this.reached.get(construct) ?? this.reachedFrom(construct);
    if (this.reached.size >= MOST_REACHED) this.reached.clear();
    this.reached.set(construct, reached);
    return reached.has(other);
  }

  /**
   * All that a construct depends on, what that depends on in turn, and what these are in. A dependency of a component is
   * one of all that is in it, and comes after all that its own components come after.
   */
  private reachedFrom(construct: number): ReadonlySet<number> {
    const reached = new Set<number>();
    const scopes = new Set<number>();
    const open: number[] = [];
    const enter = (scope: number) => {
      if (scopes.has(scope)) return;
      scopes.add(scope);
      for (const dependency of this.dependenciesAt.get(scope) ?? []) open.push(dependency);
    };
    for (const scope of this.scopesOf(construct)) enter(scope);
    const entered = new Set<number>();
    for (let dependency = open.pop(); dependency !== undefined; dependency = open.pop()) {
      if (entered.has(dependency)) continue;
      entered.add(dependency);
      for (const scope of this.scopesOf(dependency)) {
        reached.add(scope);
        enter(scope);
      }
      for (let inner = dependency; inner < this.endOf(dependency); inner++) {
        reached.add(inner);
        enter(inner);
      }
    }
    return reached;
  }
}

/** The number after that of the last construct within each. */
function endsOf({ parents }: CauseTree): readonly number[] {
  const ends = parents.map((_, number) => number + 1);
  for (let number = ends.length - 1; number > 0; number--) {
    const parent = parents[number] ?? -1;
    if (parent !== -1) ends[parent] = Math.max(ends[parent] ?? 0, ends[number] ?? 0);
  }
  return ends;
}

/** The innermost construct around each whose objects are rendered from the same values. */
function rendersOf({ parents, renders }: CauseTree): readonly (number | undefined)[] {
  const renderOf: (number | undefined)[] = [];
  for (const [number, parent] of parents.entries()) renderOf.push(renders.has(number) ? number : renderOf[parent]);
  return renderOf;
}
