#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { run } from './program';

const { stdin, stdout, stderr, argv } = process;

// Whoever reads the output may stop to do so: "| head", for instance.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

void run(argv.slice(2), { stdin, stdout, stderr, readFile: (path) => readFileSync(path, 'utf8') }).then((code) => {
  process.exitCode = code;
});
