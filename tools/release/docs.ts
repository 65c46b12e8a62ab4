import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasesDocument, withLines } from './document';

const ROOT = join(__dirname, '..', '..');
const README = join(ROOT, 'README.md');

writeFileSync(join(ROOT, 'docs', 'reference', 'releases.md'), releasesDocument());
writeFileSync(README, withLines(readFileSync(README, 'utf8')));
