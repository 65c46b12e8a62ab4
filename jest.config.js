const { totalmem } = require('node:os');
const { CACHES } = require('./test/support/caches.js');

Object.assign(process.env, CACHES);

/** The memory of a worker with its control plane, and of all that runs beside them. */
const WORKER_BYTES = 2 * 2 ** 30;
const OTHERS_BYTES = 2 * 2 ** 30;

const workers = Math.floor((totalmem() - OTHERS_BYTES) / WORKER_BYTES);

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  // Tests on a control plane mostly wait: more of them than processors fit beside each other, as far as there is memory.
  maxWorkers: Math.max(1, Math.min(4, workers)),
  // Compiled files, and how long each test took: CI keeps the folder, so that it begins with the longest, too.
  cacheDirectory: '<rootDir>/.cache/jest',
  testSequencer: '<rootDir>/test/support/sequencer.js',
  // What takes this long hangs; how long it may take on a busy machine is nobody's business.
  testTimeout: 300_000,
  roots: ['<rootDir>/test'],
  setupFiles: ['<rootDir>/test/support/fixed-seed.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testMatch: ['**/*.test.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
};
