let isGuarded = false;

/**
 * Has the program end quietly where nobody reads its report to the end (`| head`), and with a line and an error where
 * the report cannot be written (a full disk). Node.js itself would print a trace.
 */
export function guardStandardStreams(): void {
  if (isGuarded) return;
  isGuarded = true;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`cannot write to standard output: ${error.message}\n`);
    process.exitCode = 1;
  });
  // Where messages cannot be written either, the exit code is all that is left.
  process.stderr.on('error', () => {});
}
