import { Command, CommanderError } from 'commander';
import type { Flag } from './flags/flag';
import { addFlags, type Environment, type Flags, type FlagValues, readFlags, withTwoDashes } from './flags/read-flags';
import { rotate } from './rotation/rotate';
import { checkRotateOptions, ROTATE_FLAGS } from './rotation/rotate-options';
import { run } from './run';
import { checkRunOptions, RUN_FLAGS } from './run-options';
import { createLogger, type Logger, type LogLevel } from './runtime/telemetry/logger';

/** The environment, the streams and the stop signal of the program. */
export interface Terminal {
  readonly environment: Environment;
  readonly stdout: (text: string) => unknown;
  readonly stderr: (text: string) => unknown;
  /** Aborts when the process is asked to stop. */
  readonly stop: AbortSignal;
}

/** Flags of a command that logs. */
type LoggingFlags = Flags & { readonly logLevel: Flag<LogLevel> };

/** A command of the program, with flags. */
interface OperatorCommand<F extends LoggingFlags> {
  readonly name: string;
  readonly description: string;
  readonly flags: F;
  /** Checks values that are valid individually. Returns one line for each problem, which begins with the flag. */
  readonly check: (values: FlagValues<F>) => readonly string[];
  /**
   * @param stop aborts when the process is asked to stop
   * @returns the exit code
   */
  readonly execute: (values: FlagValues<F>, log: Logger, stop: AbortSignal) => Promise<number>;
}

/** The exit codes of the program. */
export const EXIT = { done: 0, failed: 1, misuse: 2 } as const;

/** Runs a command line (without the names of the programs), and returns the exit code. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = EXIT.done;
  const program = new Command('linkerd-reconciler')
    .description('Keeps a Linkerd mesh right at run time.')
    .exitOverride()
    .configureOutput({ writeOut: terminal.stdout, writeErr: terminal.stderr });
  const addCommand = <F extends LoggingFlags>(definition: OperatorCommand<F>): void => {
    const command = program.command(definition.name).description(definition.description);
    addFlags(command, definition.flags).action(async () => {
      code = await execute(definition, command, terminal);
    });
  };

  addCommand({
    name: 'run',
    description: 'runs the controllers and the admission webhooks',
    flags: RUN_FLAGS,
    check: checkRunOptions,
    execute: run,
  });
  addCommand({
    name: 'rotate',
    description: 'renews certificates, restarts the Deployments that use them, and ends',
    flags: ROTATE_FLAGS,
    check: checkRotateOptions,
    execute: rotate,
  });
  try {
    await program.parseAsync(withTwoDashes(args), { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.misuse;
  }
}

async function execute<F extends LoggingFlags>(
  definition: OperatorCommand<F>,
  command: Command,
  { environment, stderr, stop }: Terminal,
): Promise<number> {
  const read = readFlags(command, definition.flags, environment);
  const problems = 'problems' in read ? read.problems : definition.check(read.values);
  if ('problems' in read || problems.length > 0) {
    stderr(`${definition.name}:\n${problems.map((problem) => `  ${problem}\n`).join('')}`);
    return EXIT.misuse;
  }
  const log = createLogger({ level: read.values.logLevel as LogLevel, write: stderr });
  try {
    return await definition.execute(read.values, log, stop);
  } catch (error) {
    log.error(`${definition.name} failed`, { error });
    return EXIT.failed;
  }
}
