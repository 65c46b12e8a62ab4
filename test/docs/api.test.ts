import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODULES, withDeclarations } from '../../tools/api/declarations';
import { apiDocument, entriesOf } from '../../tools/api/report';

const entries = withDeclarations((declarations) => entriesOf(declarations, MODULES));

test('docs/api.md shows what the package exports (npm run api:docs)', () => {
  const document = readFileSync(join(__dirname, '..', '..', 'docs', 'api.md'), 'utf8');
  expect(document).toBe(apiDocument(entries));
});

/** Types that name the generated values of a chart, by release. */
const VALUES = /^[A-Z]\w*Values$/;

test('whatever a signature shows has a name that can be imported', () => {
  const hidden = entries.flatMap(({ name, hidden }) =>
    hidden
      .filter((origin) => !(VALUES.test(name) && origin.startsWith('imports/charts/')))
      .map((origin) => `${name} shows ${origin}, which no module exports`),
  );
  expect(hidden).toEqual([]);
});

test('no two modules export the same name', () => {
  const modules = Map.groupBy(entries, ({ name }) => name);
  const twice = [...modules].filter(([, of]) => new Set(of.map(({ module }) => module)).size > 1);
  expect(twice.map(([name]) => name)).toEqual([]);
});
