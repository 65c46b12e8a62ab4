/**
 * A function of an object, called once for each: what it returns is remembered with the object, as long as that is
 * there. For functions that look at nothing else, and objects that nobody changes.
 */
export function remembered<Of extends object, Result>(of: (object: Of) => Result): (object: Of) => Result {
  const results = new WeakMap<Of, { readonly result: Result }>();
  return (object) => {
    const known = results.get(object);
    if (known !== undefined) return known.result;
    const result = of(object);
    results.set(object, { result });
    return result;
  };
}

/** A function of two objects, called once for each pair: see `remembered`. */
export function rememberedOfBoth<One extends object, Other extends object, Result>(
  of: (one: One, other: Other) => Result,
): (one: One, other: Other) => Result {
  const ofOne = remembered((one: One) => remembered((other: Other) => of(one, other)));
  return (one, other) => ofOne(one)(other);
}

/** The size up to which half of it grows, as a rule: several clusters' worth of texts. */
const LARGE = 2 * 1024 * 1024;

/**
 * A map that forgets what nobody asked for lately, so that its size has a limit. What the clusters of a fleet have in
 * common is asked for by each of them, and stays; what only one has goes.
 */
export class RecentMap<Value> {
  private recent = new Map<string, Value>();
  private before = new Map<string, Value>();
  private size = 0;

  /**
   * @param sizeOf - the size of an entry, in characters
   * @param large - the size of the recent entries from which on they become those of before, and these are forgotten
   */
  constructor(
    private readonly sizeOf: (key: string, value: Value) => number,
    private readonly large = LARGE,
  ) {}

  get(key: string): Value | undefined {
    const recent = this.recent.get(key);
    if (recent !== undefined) return recent;
    const before = this.before.get(key);
    if (before !== undefined) this.set(key, before);
    return before;
  }

  set(key: string, value: Value): void {
    this.recent.set(key, value);
    this.size += this.sizeOf(key, value);
    if (this.size <= this.large) return;
    this.before = this.recent;
    this.recent = new Map();
    this.size = 0;
  }
}

/**
 * A function of a text, called once for each as long as it is asked for: clusters have most of their texts in common.
 */
export function byText<Result>(of: (text: string) => Result, large?: number): (text: string) => Result {
  const known = new RecentMap<{ readonly result: Result }>(({ length }) => length, large);
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found.result;
    const result = of(text);
    known.set(text, { result });
    return result;
  };
}
