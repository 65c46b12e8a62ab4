import { CLEAR_LINE, isProgressShown, progressLine } from './progress';

/** The terminal that progress is shown on. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** The line of a terminal in which progress is shown. Nothing of it is left when it is cleared, and nothing waits for it. */
export class ProgressDisplay {
  private readonly isShown: boolean;
  private readonly start: number;
  private lastMs: number | undefined;

  constructor(
    private readonly stream: ProgressStream,
    environment: Readonly<Record<string, string | undefined>>,
    private readonly now: () => number,
  ) {
    this.isShown = isProgressShown({ isTerminal: stream.isTTY === true, environment });
    this.start = now();
  }

  /** Shows how far a synthesis is, if it is time to. */
  show(done: number, total: number, name: string): void {
    if (!this.isShown) return;
    const elapsedMs = this.now() - this.start;
    // Pseudo-terminals without a size say that they are 0 wide.
    const columns = this.stream.columns || 80;
    const line = progressLine({ done, total, name, elapsedMs, columns }, this.lastMs);
    if (line === undefined) return;
    this.lastMs = elapsedMs;
    this.stream.write(`${CLEAR_LINE}${line}`);
  }

  /** Clears the line, where there is one: before anything else is written. */
  clear(): void {
    if (this.lastMs !== undefined) this.stream.write(CLEAR_LINE);
    this.lastMs = undefined;
  }
}
