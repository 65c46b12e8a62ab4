const { default: Sequencer } = require('@jest/test-sequencer');
const { DOORS, suffixOf } = require('./doors/doors.js');

/** Runs the longest test files first, also when several processes of Jest run parts of the tests. */
module.exports = class extends Sequencer {
  /** @param {ConstructorParameters<typeof Sequencer>[0]} options */
  constructor(options) {
    super(options);
    this.options = options;
  }

  /**
   * Without recorded durations, Jest runs the largest files first. Files of later doors take longer, so they go first.
   * @override
   * @param {Parameters<Sequencer['sort']>[0]} tests
   */
  async sort(tests) {
    const sorted = await super.sort(tests);
    /** @param {(typeof sorted)[number]} test */
    const doorOf = ({ duration, path }) =>
      duration === undefined ? DOORS.findLastIndex((door) => path.endsWith(suffixOf(door))) : 0;
    return [...sorted].sort((one, other) => doorOf(other) - doorOf(one));
  }

  /**
   * Records the durations. A sequencer writes them together with those that it has read, so this creates one that reads
   * again: another process of Jest may have written since.
   * @override
   * @param {Parameters<Sequencer['cacheResults']>} results
   */
  cacheResults(...results) {
    new Sequencer(this.options).cacheResults(...results);
  }
};
