import { printableText } from '#base/findings/printable-text';

interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** The progress line of a terminal. */
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

  /** Shows the progress of a synthesis, if `progressLine` returns a line. */
  show(done: number, total: number, name: string): void {
    if (!this.isShown) return;
    const elapsedMs = this.now() - this.start;
    // Pseudo-terminals without a size report a width of 0.
    const columns = this.stream.columns || 80;
    const line = progressLine({ done, total, name, elapsedMs, columns }, this.lastMs);
    if (line === undefined) return;
    this.lastMs = elapsedMs;
    this.stream.write(`${CLEAR_LINE}${line}`);
  }

  /** Clears the line, if there is one, before any other output. */
  clear(): void {
    if (this.lastMs !== undefined) this.stream.write(CLEAR_LINE);
    this.lastMs = undefined;
  }
}

/** A moment of a synthesis. */
export interface ProgressMoment {
  /** The number of finished clusters. */
  readonly done: number;
  readonly total: number;
  /** Name of the next cluster. */
  readonly name: string;
  /** Milliseconds since the synthesis began. */
  readonly elapsedMs: number;
  /** The width of the terminal. */
  readonly columns: number;
}

interface ProgressAudience {
  readonly isTerminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const SILENT_MS = 1_000;
const BETWEEN_MS = 100;

const CLEAR_LINE = '\r\u001b[2K';

/** Whether to show progress: on an interactive terminal that can clear a line, not in logs. */
export function isProgressShown({ isTerminal, environment }: ProgressAudience): boolean {
  const { CI = '', NO_COLOR = '', TERM } = environment;
  const isInPipeline = CI !== '' && CI !== 'false' && CI !== '0';
  return isTerminal && !isInPipeline && NO_COLOR === '' && TERM !== 'dumb';
}

/** Returns the line to show; undefined in the first second, and for 100 ms after the previous line. */
export function progressLine(moment: ProgressMoment, lastShownMs: number | undefined): string | undefined {
  const { done, total, name, elapsedMs, columns } = moment;
  if (elapsedMs < SILENT_MS) return undefined;
  if (lastShownMs !== undefined && elapsedMs - lastShownMs < BETWEEN_MS) return undefined;
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  const line = printableText(`Synthesizing ${done} of ${total} clusters (${percent} %): ${name}`).replaceAll('\n', ' ');
  // A line as wide as the terminal may wrap to the next one, which is not cleared.
  const most = Math.max(0, columns - 1);
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, Math.max(0, most - 1)).join('')}…`.slice(0, most);
}
