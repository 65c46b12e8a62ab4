const SMALL_DOCUMENT = 400_000;
const LARGE_DOCUMENT = 4_000_000;

/** Counts what aliases repeat, and refuses documents that consist of little else, by the measure of go-yaml. */
export class AliasLimit {
  private decoded = 0;
  private repeated = 0;
  private depth = 0;

  /** Counts a node. Returns whether the document is still within the limit. */
  count(): boolean {
    this.decoded += 1;
    if (this.depth > 0) this.repeated += 1;
    if (this.repeated <= 100 || this.decoded <= 1000) return true;
    return this.repeated / this.decoded <= allowedRatio(this.decoded);
  }

  /** Reads what an alias stands for. */
  within<T>(read: () => T): T {
    this.depth += 1;
    const value = read();
    this.depth -= 1;
    return value;
  }
}

/** From 99 % of a small document down to 10 % of a large one. */
function allowedRatio(decoded: number): number {
  if (decoded <= SMALL_DOCUMENT) return 0.99;
  if (decoded >= LARGE_DOCUMENT) return 0.1;
  return 0.99 - 0.89 * ((decoded - SMALL_DOCUMENT) / (LARGE_DOCUMENT - SMALL_DOCUMENT));
}
