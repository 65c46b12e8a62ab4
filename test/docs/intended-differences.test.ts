import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { intentionsDocument } from '#tools/conformance/document';

test('docs/reference/intended-differences.md is the output of npm run docs', () => {
  const document = readFileSync(join(__dirname, '..', '..', 'docs', 'reference', 'intended-differences.md'), 'utf8');
  expect(document).toBe(intentionsDocument());
});
