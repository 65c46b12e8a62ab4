const { DefaultReporter } = require('@jest/reporters');

/** Jest's default reporter, without lines for passed suites. */
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
