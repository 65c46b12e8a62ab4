const { partOf } = require('./parts.js');

/**
 * A filter of Jest (`--filter`): the tests that need the machine for themselves.
 * @param {readonly string[]} paths
 */
module.exports = (paths) => ({ filtered: paths.filter((path) => partOf(path) === 'alone') });
