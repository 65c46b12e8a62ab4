const { join } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const { importing } = require('./imports.js');

/** Tests on a cluster mostly wait: for controllers, leases, certificates. */
const waits = importing(join(__dirname, 'cluster', 'cluster.ts'));

/**
 * Spreads the tests that wait over the first two thirds of a run, the longest files first, so that beside them there is
 * always one that computes, and none of them begins at the end.
 */
module.exports = class extends Sequencer {
  /**
   * @override
   * @param {Parameters<Sequencer['sort']>[0]} tests
   */
  async sort(tests) {
    const sorted = await super.sort(tests);
    const waiting = sorted.filter(({ path }) => waits(path));
    const others = sorted.filter((test) => !waiting.includes(test));
    const between = Math.floor((others.length * 2) / 3 / Math.max(1, waiting.length));
    return [...waiting.flatMap((test) => [test, ...others.splice(0, between)]), ...others];
  }
};
