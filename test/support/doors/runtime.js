const { join } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const TESTS = join(__dirname, '..', '..', '/');

/**
 * The modules of the code under test and of packages, which the suites of a worker share: to load them for each suite
 * takes half of the run's time. They have no state that a suite may change. Each suite loads the modules of tests.
 * @type {Map<string, any>}
 */
const shared = new Map();

/** The runtime of the current suite, which loads modules that a shared module requires later. @type {any} */
let current;

module.exports = class SharingRuntime extends Runtime {
  /** @param {ConstructorParameters<typeof Runtime>} args */
  constructor(...args) {
    super(...args);
    for (const [path, module] of shared) this.modules.set(path, module);
    current = this;
    this.hasMocks = false;
  }

  /** The modules that the suite has loaded, by path. @returns {Map<string, any>} */
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
   * A suite that mocks a module loads all other modules again, and shares none.
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
