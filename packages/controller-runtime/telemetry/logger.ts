import { errorText } from './error-text';

/** The levels of log lines, from chatty to terse. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The fields of a log line in addition to its message. The key `error` may contain any thrown value. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one JSON object per line. Never throws, never waits. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Returns a logger that adds these fields to all lines. */
  with(fields: LogFields): Logger;
}

/** Options of {@link createLogger}. */
export interface LoggerOptions {
  /** Minimum level of lines. @default info */
  readonly level?: LogLevel;
  /** Writes a line, which ends with a line feed. */
  readonly write: (line: string) => unknown;
  /** Returns the time of a line. @default - the system's clock */
  readonly now?: () => Date;
}

/** Creates a logger: `{"time":"2026-01-01T00:00:00.000Z","level":"info","msg":"listening", …fields}`. */
export function createLogger(options: LoggerOptions): Logger {
  return loggerWith(options, {});
}

function loggerWith(options: LoggerOptions, common: LogFields): Logger {
  const { level: lowest = 'info', write, now = () => new Date() } = options;
  const log =
    (level: LogLevel) =>
    (msg: string, fields: LogFields = {}): void => {
      if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(lowest)) return;
      write(`${lineOf({ time: now().toISOString(), level, msg }, { ...common, ...fields })}\n`);
    };
  return {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    with: (fields) => loggerWith(options, { ...common, ...fields }),
  };
}

function lineOf(head: LogFields, fields: LogFields): string {
  try {
    // Twice: the first sets the order, the second keeps fields from replacing these.
    return JSON.stringify({ ...head, ...fields, ...head }, (_key, value) =>
      value instanceof Error ? errorText(value) : value,
    );
  } catch (error) {
    // The fields contain a cycle or a BigInt, so the message is logged without them.
    return JSON.stringify({ ...head, unloggable: errorText(error) });
  }
}
