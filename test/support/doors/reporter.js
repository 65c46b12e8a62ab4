const { DefaultReporter } = require('@jest/reporters');

/** Jest's own reporter without a line for each suite that passed. */
module.exports = class extends DefaultReporter {
  /**
   * @override
   * @param {Parameters<DefaultReporter['printTestFileHeader']>} args
   */
  printTestFileHeader(...args) {
    const [, , result] = args;
    if (result.numFailingTests > 0 || result.testExecError !== undefined) super.printTestFileHeader(...args);
  }
};
