import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODULES, withDeclarations } from './declarations';
import { apiDocument, entriesOf } from './report';

const document = withDeclarations((declarations) => apiDocument(entriesOf(declarations, MODULES)));
writeFileSync(join(__dirname, '..', '..', 'docs', 'reference', 'api.md'), document);
