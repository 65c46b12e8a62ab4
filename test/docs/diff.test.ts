import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleDiffs, withExamples } from '#tools/diff/examples';

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'diff.md'), 'utf8');

test('docs/diff.md shows the output of the command (npm run docs)', () => {
  const examples = exampleDiffs();
  expect(page).toContain(examples.value);
  expect(withExamples(page, examples)).toBe(page);
});
