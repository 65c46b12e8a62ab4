const { totalmem } = require('node:os');
const { CACHES } = require('./test/support/caches.js');
const { DOORS } = require('./test/support/doors/doors.js');
const { compilerOptions } = require('./tsconfig.json');

Object.assign(process.env, CACHES);

/** The memory of a worker with its control plane, and of all that runs beside them. */
const WORKER_BYTES = 2 * 2 ** 30;
const OTHERS_BYTES = 2 * 2 ** 30;

const workers = Math.floor((totalmem() - OTHERS_BYTES) / WORKER_BYTES);

/** Suites that measure time, which others beside them would take: a project of its own, to run last. */
const ALONE = 'webhook-attacks';

/** The names of packages where a `require` has one: swc makes paths of those in imports, which takes no time in suites. */
const moduleNameMapper = Object.fromEntries(
  Object.entries(compilerOptions.paths).map(([name, [path = '']]) => [
    `^${name.replace('*', '(.*)')}$`,
    path.replace('.', '<rootDir>').replace('*', '$1'),
  ]),
);

/** The names of a door's suites: those of the first have no suffix of another. @param {import('./test/support/doors/doors.js').Door} door */
const namesOf = (door) =>
  door === 'node' ? `(?<!\\.(?:${DOORS.slice(1).join('|')}))\\.test\\.ts$` : `\\.${door}\\.test\\.ts$`;

/** The suites of a door. @param {import('./test/support/doors/doors.js').Door} door */
const project = (door) => ({
  displayName: door,
  roots: ['<rootDir>/test'],
  testRegex: `^(?!.*/${ALONE}/).*${namesOf(door)}`,
  moduleNameMapper,
  testEnvironment: '<rootDir>/test/support/doors/environment.js',
  runtime: '<rootDir>/test/support/doors/runtime.js',
  // Compiled files, and how long each test took: CI keeps the folder, so that it begins with the longest, too.
  cacheDirectory: '<rootDir>/.cache/jest',
  setupFiles: ['<rootDir>/test/support/fixed-seed.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' }, baseUrl: __dirname, paths: compilerOptions.paths },
        module: { type: 'commonjs' },
      },
    ],
  },
});

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    ...DOORS.map(project),
    { ...project('cluster'), displayName: 'alone', testRegex: `/${ALONE}/.*${namesOf('cluster')}` },
  ],
  // Tests on a control plane mostly wait: more of them than processors fit beside each other, as far as there is memory.
  maxWorkers: Math.max(1, Math.min(4, workers)),
  reporters: ['<rootDir>/test/support/doors/reporter.js', 'summary'],
  // What takes this long hangs; how long it may take on a busy machine does not matter.
  testTimeout: 300_000,
  testSequencer: '<rootDir>/test/support/sequencer.js',
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};
