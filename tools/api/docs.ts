import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDeclarations } from './declarations';
import { apiDocument, entriesOf } from './report';

const document = withDeclarations((declarations) => apiDocument(entriesOf(declarations, 'lib/index.d.ts')));
writeFileSync(join(__dirname, '..', '..', 'docs', 'api.md'), document);
