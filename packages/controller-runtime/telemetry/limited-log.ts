import { createTokenBucket } from '../timing/token-bucket';
import type { LogFields, Logger } from './logger';

/** Number of lines at once, and per second afterwards: a minute of failures is a hundred lines, not a gigabyte. */
const BURST = 20;
const PER_SECOND = 1;

/** A log for events that any client can cause: lines beyond a rate are only counted, so that no disk fills. */
export interface LimitedLog {
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** @param now milliseconds of a monotonic clock. @default performance.now */
export function limitedLog(log: Logger, now?: () => number): LimitedLog {
  const bucket = createTokenBucket({ perSecond: PER_SECOND, burst: BURST, now });
  let omitted = 0;
  const write =
    (level: 'warn' | 'error') =>
    (message: string, fields: LogFields = {}): void => {
      if (!bucket.tryTake()) {
        omitted += 1;
        return;
      }
      log[level](message, omitted === 0 ? fields : { ...fields, omittedBefore: omitted });
      omitted = 0;
    };
  return { warn: write('warn'), error: write('error') };
}
