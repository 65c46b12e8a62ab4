/**
 * Runs a TypeScript program of this repository: `node tools/start/start.cjs main.ts --check`.
 *
 * The program runs from one file, bundled with its packages. Node.js caches the compiled code of the file. This takes a
 * fifth of the time in which a loader reads, translates and compiles hundreds of modules. The file is built again when
 * one of its inputs has changed. This script is plain JavaScript, so that it needs no loader.
 */
const { join, resolve } = require('node:path');
const nodeModule = require('node:module');
const { bundleOf } = require('./program-bundle.cjs');
const { traceSources } = require('./traces.cjs');

const ROOT = resolve(__dirname, '..', '..');
const FOLDER = join(ROOT, 'node_modules', '.cache', 'start');

const [program] = process.argv.slice(2);
if (program === undefined) {
  console.error('Usage: node tools/start/start.cjs PROGRAM.ts [ARGUMENT]...');
  process.exit(2);
}
/** @param {string} bundle */
function run(bundle) {
  traceSources(bundle);
  // Node.js has this function since 22.8.
  nodeModule.enableCompileCache?.(join(FOLDER, 'compiled'));
  // The program gets only its own arguments, and is the main module.
  process.argv.splice(1, 2, bundle);
  nodeModule.runMain();
}

bundleOf(program, { root: ROOT, folder: FOLDER }).then(
  // Outside the promise, because an exception of the program would become a rejection.
  (bundle) => process.nextTick(run, bundle),
  (error) => {
    // esbuild has already printed its errors.
    if (!('errors' in error)) console.error(error);
    process.exitCode = 1;
  },
);
