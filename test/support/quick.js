const { importing } = require('./imports.js');

/** Go tools, control planes, browsers, compilers and projects with the packed library are other programs. */
const startsPrograms = importing('node:child_process');

/**
 * A filter of Jest (`--filter`): the tests that start no other program.
 * @param {readonly string[]} paths
 */
module.exports = (paths) => ({ filtered: paths.filter((path) => !startsPrograms(path)) });
