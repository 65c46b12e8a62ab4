const { readFileSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

/** The imports of tests that mostly wait: for controllers, leases, certificates. */
const WAITS = /support\/(?:cluster\/cluster|anchor\/|operator\/)|\.\/anchored-mesh/;

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
    const waiting = sorted.filter(({ path }) => WAITS.test(readFileSync(path, 'utf8')));
    const others = sorted.filter((test) => !waiting.includes(test));
    const between = Math.floor((others.length * 2) / 3 / Math.max(1, waiting.length));
    return [...waiting.flatMap((test) => [test, ...others.splice(0, between)]), ...others];
  }
};
