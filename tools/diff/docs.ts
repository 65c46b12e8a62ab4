import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleDiffs, withExamples } from './examples';

const page = join(__dirname, '..', '..', 'docs', 'diff.md');
writeFileSync(page, withExamples(readFileSync(page, 'utf8'), exampleDiffs()));
