import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { intentionsDocument } from './document';

writeFileSync(join(__dirname, '..', '..', 'docs', 'reference', 'intended-differences.md'), intentionsDocument());
