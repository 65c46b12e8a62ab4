import { NAMES, outputOf } from './cluster-variants';

/** Returns the output of a cluster that is built first in a process. */
function outputAlone(...cluster: Parameters<typeof outputOf>): object {
  let output = {};
  jest.isolateModules(() => {
    const alone = require('./cluster-variants') as typeof import('./cluster-variants');
    output = JSON.parse(JSON.stringify(alone.outputOf(...cluster)));
  });
  return output;
}

// Earlier tests built other variations in the same process.
test.each(NAMES)('synth arranges a cluster after other clusters as it does alone: variation %s', (variation) => {
  for (const name of ['eu-2', 'eu-3']) {
    outputOf('eu-1', 'nothing');
    expect(JSON.parse(JSON.stringify(outputOf(name, variation)))).toEqual(outputAlone(name, variation));
  }
});

// The problems of these variations contain the name of the cluster.
const NAMED: readonly string[] = ['cycle', 'duplicate', 'missing'];

test.each(NAMES.filter((name) => !NAMED.includes(name)))('synth arranges equal clusters once: %s', (variation) => {
  const [first, second] = [outputOf('eu-1', variation), outputOf('eu-2', variation)];
  expect(first.inventory?.folders).toBeDefined();
  expect(second.inventory?.folders).toBe(first.inventory?.folders);
});
