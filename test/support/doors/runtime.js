const { join } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const TESTS = join(__dirname, '..', '..', '/');

/**
 * The modules of the code under test and of packages, which the suites of a worker share: to load them anew takes half
 * of the time of all suites. They keep nothing that a suite may change; the modules of tests are loaded by each suite.
 * @type {Map<string, any>}
 */
const shared = new Map();

/** The runtime of the suite that runs: a shared module may require another later. @type {any} */
let current;

module.exports = class SharingRuntime extends Runtime {
  /** @param {ConstructorParameters<typeof Runtime>} args */
  constructor(...args) {
    super(...args);
    for (const [path, module] of shared) this.modules.set(path, module);
    current = this;
    this.hasMocks = false;
  }

  /** The modules that the suite has loaded, by their paths. @returns {Map<string, any>} */
  get modules() {
    return /** @type {any} */ (this).registries.moduleRegistry;
  }

  /**
   * @override
   * @param {Parameters<Runtime['requireModuleOrMock']>} args
   * @returns {any}
   */
  requireModuleOrMock(...args) {
    return this === current ? super.requireModuleOrMock(...args) : current.requireModuleOrMock(...args);
  }

  /**
   * A suite that mocks a module loads all others anew, and shares none.
   * @override
   * @param {Parameters<Runtime['setMock']>} args
   */
  setMock(...args) {
    if (!this.hasMocks) this.modules.clear();
    this.hasMocks = true;
    super.setMock(...args);
  }

  /** @override */
  teardown() {
    for (const [path, module] of this.hasMocks ? [] : this.modules) {
      if (module.loaded && !path.startsWith(TESTS)) shared.set(path, module);
    }
    super.teardown();
  }
};
