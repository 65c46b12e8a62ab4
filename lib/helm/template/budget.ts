import type { Budget } from './values';

/** What a render may consume. Never time: a slower machine would give another answer for the same chart. */
export interface RenderLimits {
  /** Executed nodes, iterations, and the work of functions. */
  readonly steps: number;
  /** Templates that are executed inside each other. */
  readonly depth: number;
  /** Characters that all templates print together. */
  readonly outputLength: number;
}

/** A limit that a template exceeds. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** Counts what a render consumes, and stops it at its limits. */
export class RenderBudget implements Budget {
  private steps = 0;
  private depth = 0;
  private outputLength = 0;

  constructor(private readonly limits: RenderLimits) {}

  readonly spend = (steps: number): void => {
    this.steps += steps;
    if (this.steps > this.limits.steps) {
      throw new LimitError(`the templates take more than ${this.limits.steps} steps`);
    }
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
}
