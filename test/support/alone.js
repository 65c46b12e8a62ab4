const { readFileSync } = require('node:fs');

/** The first line of a test that measures what a busy machine would decide: how fast the operator answers under attack. */
const ALONE = '// Runs alone: ';

/** @param {string} path */
const runsAlone = (path) => readFileSync(path, 'utf8').startsWith(ALONE);

module.exports = { runsAlone };
