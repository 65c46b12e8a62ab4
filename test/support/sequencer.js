const { default: Sequencer } = require('@jest/test-sequencer');
const quick = require('./quick.js');

/** Begins with the longest test files, also where more than one Jest runs parts of the tests. */
module.exports = class extends Sequencer {
  /** @param {ConstructorParameters<typeof Sequencer>[0]} options */
  constructor(options) {
    super(options);
    this.options = options;
  }

  /**
   * Where nobody remembers how long they took, Jest begins with the largest files; what starts programs takes longer.
   * @override
   * @param {Parameters<Sequencer['sort']>[0]} tests
   */
  async sort(tests) {
    const sorted = await super.sort(tests);
    const quickPaths = new Set(quick(sorted.map((test) => test.path)).filtered);
    const isFirst = sorted.map((test) => test.duration === undefined && !quickPaths.has(test.path));
    return [...sorted.filter((_, index) => isFirst[index]), ...sorted.filter((_, index) => !isFirst[index])];
  }

  /**
   * Remembers how long each took. A sequencer writes what it has read, so this asks one that reads now: another Jest may
   * have written meanwhile.
   * @override
   * @param {Parameters<Sequencer['cacheResults']>} results
   */
  cacheResults(...results) {
    new Sequencer(this.options).cacheResults(...results);
  }
};
