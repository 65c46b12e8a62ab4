import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasesDocument } from './document';

writeFileSync(join(__dirname, '..', '..', 'docs', 'reference', 'releases.md'), releasesDocument());
