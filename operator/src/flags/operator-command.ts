import type { Logger, LogLevel } from '../runtime/telemetry/logger';
import type { Flag } from './flag';
import type { Flags, FlagValues } from './read-flags';

/** A command of the program, with flags. */
export interface OperatorCommand<F extends Flags & { readonly logLevel: Flag<LogLevel> }> {
  readonly name: string;
  readonly description: string;
  readonly flags: F;
  /** What is wrong with values that are right each on its own: one line each, which begins with the flag. */
  readonly check: (values: FlagValues<F>) => readonly string[];
  /**
   * @param stop aborts when the process is told to end
   * @returns the exit code
   */
  readonly execute: (values: FlagValues<F>, log: Logger, stop: AbortSignal) => Promise<number>;
}
