import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasesDocument } from '#tools/release/document';

const ROOT = join(__dirname, '..', '..');

test('the document of releases says what the data says (npm run docs)', () => {
  expect(readFileSync(join(ROOT, 'docs', 'reference', 'releases.md'), 'utf8')).toBe(releasesDocument());
});
