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
