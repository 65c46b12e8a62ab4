import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasesDocument, withLines } from '#tools/release/document';

const ROOT = join(__dirname, '..', '..');

test('the document of releases says what the data says (npm run docs)', () => {
  expect(readFileSync(join(ROOT, 'docs', 'reference', 'releases.md'), 'utf8')).toBe(releasesDocument());
});

test('so does the table in the README', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  expect(readme).toBe(withLines(readme));
});
