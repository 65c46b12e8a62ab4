const { readFileSync } = require('node:fs');
const { importing } = require('./imports.js');

/** Go tools, control planes, browsers, compilers and projects with the packed library are other programs. */
const startsPrograms = importing('node:child_process');

/** The first line of a test that computes for more than five seconds: together they take as long as a third of all others. */
const SLOW = '// Left out by --quick: ';

/**
 * A filter of Jest (`--filter`): the tests that start no other program, but for those that say that they take long.
 * @param {readonly string[]} paths
 */
module.exports = (paths) => ({
  filtered: paths.filter((path) => !startsPrograms(path) && !readFileSync(path, 'utf8').startsWith(SLOW)),
});
