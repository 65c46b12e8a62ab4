#!/usr/bin/env node
import { giveBackMemory } from '#controller-runtime/process/give-back-memory';
import { setMemoryFlags } from '#controller-runtime/process/memory-flags';
import { EXIT, runProgram } from './program';

setMemoryFlags();
giveBackMemory();

const stop = new AbortController();

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    // A second signal does not wait for work in flight.
    if (stop.signal.aborted) process.exit(EXIT.failed);
    stop.abort(new Error(signal));
  });
}

const { argv, env, stdout, stderr } = process;

void runProgram(argv.slice(2), {
  environment: env,
  stdout: (text) => stdout.write(text),
  stderr: (text) => stderr.write(text),
  stop: stop.signal,
}).then((code) => {
  // Open handles (watches, kept connections) would keep the process running. Exits once pipes have accepted all output.
  stdout.write('', () => stderr.write('', () => process.exit(code)));
});
