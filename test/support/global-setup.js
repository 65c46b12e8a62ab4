// Jest maps the names of packages in suites only.
require('tsx/cjs/api').register();
const { buildBundle } = require('../../operator/bundle/build-bundle.ts');
const { buildPage } = require('../../page/bundle/build-page.ts');
const { createRunDirectory } = require('./cluster/run-directory.ts');

/** Makes room for the clusters of this run, and bundles what the library carries: the operator and the report's script. */
module.exports = async () => {
  createRunDirectory();
  await buildBundle();
  await buildPage();
};
