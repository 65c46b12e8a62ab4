import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDeclarations } from '../../tools/api/declarations';
import { apiDocument, entriesOf } from '../../tools/api/report';

const entries = withDeclarations((declarations) => entriesOf(declarations, 'lib/index.d.ts'));

test('docs/api.md shows what the index exports (npm run api:docs)', () => {
  const document = readFileSync(join(__dirname, '..', '..', 'docs', 'api.md'), 'utf8');
  expect(document).toBe(apiDocument(entries));
});
