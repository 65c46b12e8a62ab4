import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONSEQUENCES } from '#lib/review/diff/consequences/catalogue';
import { exampleDiffs, withExamples } from '#tools/diff/examples';

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'diff.md'), 'utf8');

test('the differences in the docs are those that the command prints: npm run docs', () => {
  const examples = exampleDiffs();
  expect(Object.keys(examples)).toHaveLength(3);
  for (const example of Object.values(examples)) expect(page).toContain(example);
  expect(withExamples(page, examples)).toBe(page);
});

test('all codes are in the docs, and no others', () => {
  const [, table = ''] = page.split('The codes by subject; `cdk8s-linkerd explain CODE` explains each:');
  const listed = [...(table.split('## ')[0] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, code]) => code);
  expect(listed.toSorted()).toEqual(Object.keys(CONSEQUENCES).sort());
});
