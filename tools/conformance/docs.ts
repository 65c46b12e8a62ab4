import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { intentionsDocument } from './document';
import { INTENTIONS } from './intentions';

writeFileSync(join(__dirname, '..', '..', 'docs', 'intended-differences.md'), intentionsDocument(INTENTIONS));
