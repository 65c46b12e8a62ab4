const { partOf } = require('./parts.js');

/**
 * A filter of Jest (`--filter`): the tests that use no Go tools.
 * @param {readonly string[]} paths
 */
module.exports = (paths) => ({ filtered: paths.filter((path) => partOf(path) === 'other') });
