import type { Budget } from './values';

/** What a render may consume. */
export interface RenderLimits {
  /** Executed nodes, iterations, and the work of functions. */
  readonly steps: number;
  /** Templates that are executed inside each other. */
  readonly depth: number;
  /** Characters that all templates print together. */
  readonly outputLength: number;
  /** Wall time. @default - unlimited */
  readonly milliseconds?: number;
}

/** A limit that a template exceeds. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** Looking at the clock for every step would cost more than the steps. */
const STEPS_BETWEEN_CLOCK_READS = 10_000;

/** Counts what a render consumes, and stops it at its limits. */
export class RenderBudget implements Budget {
  private steps = 0;
  private depth = 0;
  private outputLength = 0;
  private nextClockRead = STEPS_BETWEEN_CLOCK_READS;
  private readonly started: number;

  constructor(
    private readonly limits: RenderLimits,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.started = limits.milliseconds === undefined ? 0 : now();
  }

  readonly spend = (steps: number): void => {
    this.steps += steps;
    if (this.steps > this.limits.steps) {
      throw new LimitError(`the templates take more than ${this.limits.steps} steps`);
    }
    if (this.steps >= this.nextClockRead) this.readClock();
  };

  /** Begins a template inside the current one. Errors: the limit of depth. */
  enter(): void {
    if (this.depth >= this.limits.depth) {
      throw new LimitError(`the templates include each other more than ${this.limits.depth} levels deep`);
    }
    this.depth += 1;
  }

  /** Ends what `enter` began. */
  leave(): void {
    this.depth -= 1;
  }

  /** Adds printed characters. Errors: the limit of output. */
  print(characters: number): void {
    this.outputLength += characters;
    if (this.outputLength > this.limits.outputLength) {
      throw new LimitError(`the templates print more than ${this.limits.outputLength} characters`);
    }
  }

  private readClock(): void {
    this.nextClockRead = this.steps + STEPS_BETWEEN_CLOCK_READS;
    const { milliseconds } = this.limits;
    if (milliseconds !== undefined && this.now() - this.started > milliseconds) {
      throw new LimitError(`the templates take more than ${milliseconds} ms`);
    }
  }
}
