import { NAMES, outputOf } from './cluster-variants';

/** Returns the output of a cluster that no other was built before. */
function outputAlone(...cluster: Parameters<typeof outputOf>): object {
  let output = {};
  jest.isolateModules(() => {
    const alone = require('./cluster-variants') as typeof import('./cluster-variants');
    output = JSON.parse(JSON.stringify(alone.outputOf(...cluster)));
  });
  return output;
}

// The clusters before are the plain one, and all variations that come first.
test.each(NAMES)('synth arranges a cluster after others as it would alone: %s', (variation) => {
  for (const name of ['eu-2', 'eu-3']) {
    outputOf('eu-1', 'nothing');
    expect(JSON.parse(JSON.stringify(outputOf(name, variation)))).toEqual(outputAlone(name, variation));
  }
});

// The problems of these name the cluster.
const NAMED: readonly string[] = ['cycle', 'duplicate', 'missing'];

test.each(NAMES.filter((name) => !NAMED.includes(name)))('synth arranges equal clusters once: %s', (variation) => {
  const [first, second] = [outputOf('eu-1', variation), outputOf('eu-2', variation)];
  expect(first.inventory?.folders).toBeDefined();
  expect(second.inventory?.folders).toBe(first.inventory?.folders);
});
