import { createLogger, type Logger } from '#controller-runtime/telemetry/logger';

/** A line of a log. */
export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** A logger, and the lines that it has written. */
export function memoryLog(): { readonly log: Logger; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  return { log: createLogger({ level: 'debug', write: (line) => lines.push(JSON.parse(line)) }), lines };
}
