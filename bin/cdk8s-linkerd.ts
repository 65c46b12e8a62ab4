#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { run } from './program';
import { EXIT, textIn } from './terminal';

const { stdin, stdout, stderr, argv } = process;

/** The exit code of programs that SIGPIPE ends. */
const BROKEN_PIPE = 141;

// The reader of the output may stop early, such as "| head". The exit code is not 0, so that a pipeline fails.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(BROKEN_PIPE);
  stderr.write(`error: cannot write to standard output: ${error.message}\n`);
  process.exit(EXIT.refused);
});
// If messages cannot be written either, only the exit code remains.
stderr.on('error', () => {});

void run(argv.slice(2), { stdin, stdout, stderr, readFile: (path) => textIn(readFileSync(path)) }).then((code) => {
  process.exitCode = code;
});
