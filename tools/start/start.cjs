/**
 * Runs a TypeScript program of this repository: `node tools/start/start.cjs main.ts --check`.
 *
 * The program runs from one file, bundled with its packages, whose compiled code Node.js keeps from run to run. That
 * takes a fifth of the time in which a loader reads, translates and compiles hundreds of modules. The file is made anew
 * when anything changed that it was made from. Plain JavaScript, since nothing is to be loaded before it.
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
  // Not before Node.js 22.8.
  nodeModule.enableCompileCache?.(join(FOLDER, 'compiled'));
  // As its own program, which sees its arguments alone, and is the main module.
  process.argv.splice(1, 2, bundle);
  nodeModule.runMain();
}

bundleOf(program, { root: ROOT, folder: FOLDER }).then(
  // Not from here, where what it throws would be a rejection.
  (bundle) => process.nextTick(run, bundle),
  (error) => {
    // What cannot be bundled, esbuild has told.
    if (!('errors' in error)) console.error(error);
    process.exitCode = 1;
  },
);
