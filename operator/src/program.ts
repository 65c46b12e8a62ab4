import { createLogger, type Logger, type LogLevel } from '#controller-runtime/telemetry/logger';
import { exchange } from './exchange/exchange';
import { checkExchangeOptions, EXCHANGE_FLAGS } from './exchange/exchange-options';
import type { Flag } from './flags/flag';
import {
  type Environment,
  type Flags,
  type FlagValues,
  helpOf,
  inColumns,
  parseFlags,
  readFlags,
} from './flags/read-flags';
import { rotate } from './rotation/rotate';
import { checkRotateOptions, ROTATE_FLAGS } from './rotation/rotate-options';
import { run } from './run';
import { checkRunOptions, RUN_FLAGS } from './run-options';

/** The environment, the streams and the stop signal of the program. */
export interface Terminal {
  readonly environment: Environment;
  readonly stdout: (text: string) => unknown;
  readonly stderr: (text: string) => unknown;
  /** Aborts when the process is asked to stop. */
  readonly stop: AbortSignal;
}

type LoggingFlags = Flags & { readonly logLevel: Flag<LogLevel> };

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

const PROGRAM = 'linkerd-reconciler';

interface ReadyCommand extends Pick<OperatorCommand<LoggingFlags>, 'name' | 'description'> {
  readonly start: (args: readonly string[], terminal: Terminal) => Promise<number>;
}

const COMMANDS: readonly ReadyCommand[] = [
  command({
    name: 'run',
    description: 'runs the controllers and the admission webhooks',
    flags: RUN_FLAGS,
    check: checkRunOptions,
    execute: run,
  }),
  command({
    name: 'rotate',
    description: 'renews certificates, restarts the Deployments that use them, and exits',
    flags: ROTATE_FLAGS,
    check: checkRotateOptions,
    execute: rotate,
  }),
  command({
    name: 'exchange',
    description: "copies another cluster's report on the shared trust anchor into this one",
    flags: EXCHANGE_FLAGS,
    check: checkExchangeOptions,
    execute: exchange,
  }),
];

/** Runs a command line (without the names of the programs), and returns the exit code. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = '', ...rest] = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  const known = COMMANDS.find((one) => one.name === name);
  if (known !== undefined) return await known.start(rest, terminal);
  if (['-h', '-help', '--help'].includes(name)) {
    terminal.stdout(usage());
    return EXIT.done;
  }
  terminal.stderr(name === '' ? usage() : `unknown command '${name}'\n\n${usage()}`);
  return EXIT.misuse;
}

function usage(): string {
  const commands = inColumns(COMMANDS.map(({ name, description }) => [name, description]));
  return `Usage: ${PROGRAM} COMMAND [FLAG]...

Manages the configuration, Multus attachments and certificates of a Linkerd mesh at run time.

Commands:
${commands}
${PROGRAM} COMMAND --help shows the flags of a command.
`;
}

function command<F extends LoggingFlags>(definition: OperatorCommand<F>): ReadyCommand {
  const { name, description, flags } = definition;
  return {
    name,
    description,
    start: async (args, terminal) => {
      const given = parseFlags(args, flags);
      if (!given.help) return await execute(definition, given, terminal);
      terminal.stdout(`Usage: ${PROGRAM} ${name} [FLAG]...\n\n${description}\n\nFlags:\n${helpOf(flags)}`);
      return EXIT.done;
    },
  };
}

async function execute<F extends LoggingFlags>(
  definition: OperatorCommand<F>,
  given: ReturnType<typeof parseFlags>,
  { environment, stderr, stop }: Terminal,
): Promise<number> {
  const read = readFlags(given, definition.flags, environment);
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
