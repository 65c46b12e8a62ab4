const { default: Sequencer } = require('@jest/test-sequencer');
const { DOORS, suffixOf } = require('./doors/doors.js');

/** Begins with the longest test files, also where more than one Jest runs parts of the tests. */
module.exports = class extends Sequencer {
  /** @param {ConstructorParameters<typeof Sequencer>[0]} options */
  constructor(options) {
    super(options);
    this.options = options;
  }

  /**
   * Where no run recorded how long they took, Jest begins with the largest files; those of later doors take longer.
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
   * Records how long each took. A sequencer writes what it has read, so this uses one that reads now: another Jest may
   * have written meanwhile.
   * @override
   * @param {Parameters<Sequencer['cacheResults']>} results
   */
  cacheResults(...results) {
    new Sequencer(this.options).cacheResults(...results);
  }
};
