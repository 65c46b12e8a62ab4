import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODULES, withDeclarations } from '#tools/api/declarations';
import { apiDocument, entriesOf } from '#tools/api/report';

const entries = withDeclarations((declarations) => entriesOf(declarations, MODULES));

test('docs/reference/api.md lists what the package exports (npm run docs)', () => {
  const document = readFileSync(join(__dirname, '..', '..', 'docs', 'reference', 'api.md'), 'utf8');
  expect(document).toBe(apiDocument(entries));
});

/** The types of a chart's generated values, by release. */
const VALUES = /^[A-Z]\w*Values$/;

test('the package exports every type in its signatures', () => {
  const hidden = entries.flatMap(({ name, hidden }) =>
    hidden
      .filter((origin) => !(VALUES.test(name) && origin.startsWith('imports/charts/')))
      .map((origin) => `${name} shows ${origin}, which no module exports`),
  );
  expect(hidden).toEqual([]);
});

test('each exported name belongs to one module', () => {
  const modules = Map.groupBy(entries, ({ name }) => name);
  const twice = [...modules].filter(([, of]) => new Set(of.map(({ module }) => module)).size > 1);
  expect(twice.map(([name]) => name)).toEqual([]);
});

/** All names that a package of the cdk8s family exports, including types. */
function namesOf(name: string, file = 'index'): readonly string[] {
  const library = join(__dirname, '..', '..', 'node_modules', name, 'lib');
  const place = existsSync(join(library, `${file}.d.ts`)) ? file : `${file}/index`;
  const text = readFileSync(join(library, `${place}.d.ts`), 'utf8');
  const declared = text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:class|interface|enum|type|function|const) (\w+)/gm,
  );
  const spaces = text.matchAll(/^(?:export \* as|import \* as) (\w+)/gm);
  const modules = text.matchAll(/^export \* from '\.\/([^']+)'/gm);
  return [
    ...[...declared, ...spaces].map(([, own = '']) => own),
    ...[...modules].flatMap(([, module = '']) => namesOf(name, join(place, '..', module))),
  ];
}

test.each([
  ['constructs', 8],
  ['cdk8s', 30],
  ['cdk8s-plus-28', 200],
  ['cdk8s-plus-33', 200],
])('the package exports no name of %s', (name, least) => {
  const theirs = new Set(namesOf(name));
  expect(theirs.size).toBeGreaterThan(least);
  expect(entries.map((entry) => entry.name).filter((own) => theirs.has(own))).toEqual([]);
});
