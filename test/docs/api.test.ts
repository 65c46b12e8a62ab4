import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDeclarations } from '../../tools/api/declarations';
import { apiDocument, entriesOf } from '../../tools/api/report';

const entries = withDeclarations((declarations) => entriesOf(declarations, 'lib/index.d.ts'));

test('docs/api.md shows what the index exports (npm run api:docs)', () => {
  const document = readFileSync(join(__dirname, '..', '..', 'docs', 'api.md'), 'utf8');
  expect(document).toBe(apiDocument(entries));
});

/** Types that name the generated values of a chart, by release. */
const VALUES = /^[A-Z]\w*Values$/;

test('whatever a signature shows has a name that can be imported', () => {
  const hidden = entries.flatMap(({ name, hidden }) =>
    hidden
      .filter((origin) => !(VALUES.test(name) && origin.startsWith('imports/charts/')))
      .map((origin) => `${name} shows ${origin}, which lib/index.ts does not export`),
  );
  expect(hidden).toEqual([]);
});
