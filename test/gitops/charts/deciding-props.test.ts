import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DECIDING_PROPS } from '#lib/gitops/charts/deciding-props';

const API = readFileSync(join(__dirname, '../../../docs/reference/api.md'), 'utf8');

// The first prop is an option of `platform.addCluster`, which is not a construct.
test.each([...DECIDING_PROPS].slice(1))('for the value %s, synth names a prop that exists: %s', (_, prop) => {
  const [name, construct] = prop.split(' of ');
  const props = new RegExp(`^interface ${construct}Props\\b[^{]*\\{\\n(.*?)^\\}`, 'ms').exec(API)?.[1];
  expect(props).toMatch(new RegExp(`^  readonly ${name}\\??:`, 'm'));
});
