/** Platforms that nobody has synthesized yet. */
const waiting = new Set<object>();

/** Makes the process end with an error if a platform is forgotten that was made, but not synthesized. */
export function expectSynthesis(platform: object): void {
  if (waiting.size === 0) process.once('exit', complain);
  waiting.add(platform);
}

/** Notes that a platform is being synthesized. */
export function synthesized(platform: object): void {
  if (waiting.delete(platform) && waiting.size === 0) process.off('exit', complain);
}

function complain(code: number): void {
  // What ended the process before has been told already.
  if (code !== 0) return;
  process.stderr.write(
    'A Platform was made and never synthesized: nothing was written, and nothing checked.\n' +
      'Fix: end the program with platform.run(), or call platform.synth().\n',
  );
  process.exitCode = 1;
}
