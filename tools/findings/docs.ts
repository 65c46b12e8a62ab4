import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUED, findingsDocument } from './document';
import { findingsIn } from './findings';
import { readSources } from './sources';

const { findings } = findingsIn(readSources());
writeFileSync(join(__dirname, '..', '..', 'docs', 'findings.md'), findingsDocument([...CATALOGUED, ...findings]));
