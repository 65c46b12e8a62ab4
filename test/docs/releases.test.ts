import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasesDocument } from '#tools/release/document';

const ROOT = join(__dirname, '..', '..');

test('docs/reference/releases.md is the output of npm run docs', () => {
  expect(readFileSync(join(ROOT, 'docs', 'reference', 'releases.md'), 'utf8')).toBe(releasesDocument());
});
