/**
 * Prepares a process for its program, a bundle: traces name the sources, and Node.js keeps the compiled code. A process that
 * runs the program again, as a synthesis in several ones does, loads this by `--require`.
 */
const nodeModule = require('node:module');
const { dirname, join } = require('node:path');
const { traceSources } = require('./traces.cjs');

const [, bundle = ''] = process.argv;
traceSources(bundle);
// Not before Node.js 22.8.
nodeModule.enableCompileCache?.(join(dirname(bundle), 'compiled'));
