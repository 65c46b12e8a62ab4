import { renderedCharts } from './rendered-charts';

/**
 * Prints the intended differences of all charts in the form that other comparators of renders read: regular expressions
 * on an object's key and on a path in it.
 *
 *   tsx tools/conformance/intended.ts > intended.json
 */
const intended = renderedCharts()
  .flatMap(({ native }) => native.intended.differences)
  .map(({ object, path, reason }) => ({
    key: object,
    path,
    reason,
  }));

process.stdout.write(`${JSON.stringify(intended, null, 2)}\n`);
