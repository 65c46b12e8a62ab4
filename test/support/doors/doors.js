/**
 * The doors of the tests: what a suite may need, by the suffix of its name. `x.test.ts` needs Node alone,
 * `x.program.test.ts` starts programs, servers or a browser, `x.go.test.ts` compares with tools in Go,
 * `x.cluster.test.ts` runs on a control plane. `x.slow.test.ts` may need all of it, and runs at night.
 */
const DOORS = /** @type {const} */ (['node', 'program', 'go', 'cluster', 'slow']);

/** @typedef {(typeof DOORS)[number]} Door */

/** The suffix of a door's suites. @param {Door} door */
const suffixOf = (door) => (door === 'node' ? '.test.ts' : `.${door}.test.ts`);

/** Programs that suites of a door must not start: a regular expression for their paths. */
const FORBIDDEN = /** @type {Readonly<Partial<Record<Door, RegExp>>>} */ ({
  node: /(?:)/,
  program: /^go$|\/go-tools\//,
  go: /\/go-tools\/(?:etcd|kube-apiserver)-/,
});

module.exports = { DOORS, FORBIDDEN, suffixOf };
