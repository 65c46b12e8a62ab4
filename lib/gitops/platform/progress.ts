import { printableText } from '../../kubernetes/findings/printable-text';

/** The terminal that progress is shown on. */
interface ProgressStream {
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

/** A moment of a synthesis. */
export interface ProgressMoment {
  /** The number of clusters that are done. */
  readonly done: number;
  readonly total: number;
  /** The cluster that is next. */
  readonly name: string;
  /** Milliseconds since the synthesis began. */
  readonly elapsedMs: number;
  /** The width of the terminal. */
  readonly columns: number;
}

/** The facts of a terminal and its environment that tell whether somebody looks at it. */
interface ProgressAudience {
  readonly isTerminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Nobody needs to be told of a synthesis that takes no longer. */
const SILENT_MS = 1_000;
const BETWEEN_MS = 100;

/** Returns to the start of the line, and clears it. */
const CLEAR_LINE = '\r\u001b[2K';

/** Tells whether progress is shown: to people at a terminal that can clear a line, and in no log. */
export function isProgressShown({ isTerminal, environment }: ProgressAudience): boolean {
  const { CI = '', NO_COLOR = '', TERM } = environment;
  const isInPipeline = CI !== '' && CI !== 'false' && CI !== '0';
  return isTerminal && !isInPipeline && NO_COLOR === '' && TERM !== 'dumb';
}

/** The line to show at a moment; undefined while it is early, or the last line was shown just before. */
export function progressLine(moment: ProgressMoment, lastShownMs: number | undefined): string | undefined {
  const { done, total, name, elapsedMs, columns } = moment;
  if (elapsedMs < SILENT_MS) return undefined;
  if (lastShownMs !== undefined && elapsedMs - lastShownMs < BETWEEN_MS) return undefined;
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  const line = printableText(`Synthesizing ${done} of ${total} clusters (${percent} %): ${name}`).replaceAll('\n', ' ');
  // A line that is as wide as the terminal may go on in the next one, which nobody clears.
  const most = Math.max(0, columns - 1);
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, Math.max(0, most - 1)).join('')}…`.slice(0, most);
}
