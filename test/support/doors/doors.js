/**
 * The doors of the tests: the programs that a suite may start, by the suffix of its name. `x.test.ts` needs only Node,
 * `x.program.test.ts` starts programs, servers or a browser, `x.go.test.ts` compares with tools in Go,
 * `x.cluster.test.ts` runs on a control plane. `x.slow.test.ts` may start all of these, and runs at night.
 */
const DOORS = /** @type {const} */ (['node', 'program', 'go', 'cluster', 'slow']);

/** @typedef {(typeof DOORS)[number]} Door */

/** The suffix of the suites of a door. @param {Door} door */
const suffixOf = (door) => (door === 'node' ? '.test.ts' : `.${door}.test.ts`);

/** Regular expressions for the paths of programs that suites of a door must not start. */
const FORBIDDEN = /** @type {Readonly<Partial<Record<Door, RegExp>>>} */ ({
  node: /(?:)/,
  program: /^go$|\/go-tools\//,
  go: /\/go-tools\/(?:etcd|kube-apiserver)-/,
});

module.exports = { DOORS, FORBIDDEN, suffixOf };
