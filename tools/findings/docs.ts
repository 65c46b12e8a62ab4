import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findingsDocument } from './document';

writeFileSync(join(__dirname, '..', '..', 'docs', 'reference', 'findings.md'), findingsDocument());
