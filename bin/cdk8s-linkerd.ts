#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { run } from './program';
import { EXIT } from './terminal';

const { stdin, stdout, stderr, argv } = process;

// Whoever reads the output may stop to do so: "| head", for instance.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  stderr.write(`error: cannot write to standard output: ${error.message}\n`);
  process.exit(EXIT.refused);
});
// Where messages cannot be written either, the exit code is all that is left.
stderr.on('error', () => {});

void run(argv.slice(2), { stdin, stdout, stderr, readFile: (path) => readFileSync(path, 'utf8') }).then((code) => {
  process.exitCode = code;
});
