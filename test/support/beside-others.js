const { runsAlone } = require('./alone.js');

/**
 * A filter of Jest (`--filter`): the tests that may run beside each other.
 * @param {readonly string[]} paths
 */
module.exports = (paths) => ({ filtered: paths.filter((path) => !runsAlone(path)) });
