const { default: Sequencer } = require('@jest/test-sequencer');

/** Begins with the longest test files, also where more than one Jest runs parts of the tests. */
module.exports = class extends Sequencer {
  /** @param {ConstructorParameters<typeof Sequencer>[0]} options */
  constructor(options) {
    super(options);
    this.options = options;
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
