// Jest's module name mapping does not apply to this file.
require('tsx/cjs/api').register();
const { buildBundle } = require('../../operator/bundle/build-bundle.ts');
const { buildPage } = require('../../page/bundle/build-page.ts');
const { createRunDirectory } = require('./cluster/run-directory.ts');

/** Creates the folder for the run's clusters, and bundles the operator and the report's script. */
module.exports = async () => {
  createRunDirectory();
  await buildBundle();
  await buildPage();
};
