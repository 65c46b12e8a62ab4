import type { SynthError } from './report';

/**
 * Prints an error that is about to be thrown as `platform.run()` does, if nobody catches it: by its message alone, and
 * not with the source of this library and a stack. A program that has its own way with uncaught errors keeps it.
 */
export function toldPlainly(error: SynthError): SynthError {
  if (process.listenerCount('uncaughtException') > 0) return error;
  const tell = (uncaught: unknown) => {
    if (uncaught !== error) throw uncaught;
    process.stderr.write(`${error.message}\n`, () => process.exit(1));
    process.exitCode = 1;
  };
  process.on('uncaughtException', tell);
  // By then it has been caught.
  setImmediate(() => process.off('uncaughtException', tell));
  return error;
}
