/**
 * Memoizes a function of an object: the result is kept as long as the object exists. The function must depend on
 * nothing else, and the object must not change.
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

/** Memoizes a function of two objects: see `remembered`. */
export function rememberedOfBoth<One extends object, Other extends object, Result>(
  of: (one: One, other: Other) => Result,
): (one: One, other: Other) => Result {
  const ofOne = remembered((one: One) => remembered((other: Other) => of(one, other)));
  return (one, other) => ofOne(one)(other);
}

/** The default size at which recent entries become previous ones: the strings of several clusters fit. */
const LARGE = 2 * 1024 * 1024;

/**
 * A map of limited size, which drops entries that were not used recently. Entries that all clusters of a fleet share
 * stay; entries of a single cluster are dropped.
 */
export class RecentMap<Value> {
  private recent = new Map<string, Value>();
  private before = new Map<string, Value>();
  private size = 0;

  /**
   * @param sizeOf - the size of an entry, in characters
   * @param large - the size at which the recent entries become the previous ones, and the previous ones are dropped
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

/** Memoizes a function of a string, and keeps recent results: clusters share most strings. */
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
