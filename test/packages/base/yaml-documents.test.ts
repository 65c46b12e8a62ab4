import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { MAX_DEPTH } from '#base/max-depth';
import { HELM_YAML, parseValues } from '#base/values-document';
import { AliasError, checkDepth, DepthError, parseDocuments } from '#base/yaml-documents';
import { expectLinear } from '#test/support/growth';

const many = 50_000;

/** A chain of aliases. Each line is flat, and contains an alias of the previous line. */
function chain(length: number, link: (before: string) => string): string {
  return Array.from({ length }, (_, i) => `a${i}: &a${i} ${i === 0 ? '{x: 1}' : link(`*a${i - 1}`)}`).join('\n');
}

describe('the reader of YAML refuses', () => {
  test.each<[string, string]>([
    ['open lists', '['.repeat(many)],
    ['lists', '['.repeat(many) + ']'.repeat(many)],
    ['maps', '{a: '.repeat(many)],
    ['JSON', '{"a":'.repeat(many) + 1 + '}'.repeat(many)],
    ['items', `${'- '.repeat(many)}a`],
    ['questions', '? '.repeat(many)],
    ['keys on a line', 'a: '.repeat(many)],
    ['keys on lines', Array.from({ length: MAX_DEPTH + 1 }, (_, i) => `${' '.repeat(i)}a:\n`).join('')],
    ['one level too many', '['.repeat(MAX_DEPTH + 1) + ']'.repeat(MAX_DEPTH + 1)],
  ])('a text that nests too deeply before a parser recurses: %s', (_, text) => {
    expect(() => checkDepth(text)).toThrow(DepthError);
    expect(() => parseDocuments(text)).toThrow(DepthError);
    expect(() => parseValues(text)).toThrow(SyntaxError);
  });

  test('a chain of aliases that nests too deeply', () => {
    expect(() => parseDocuments(chain(MAX_DEPTH + 1, (before) => `[${before}]`))).toThrow(DepthError);
  });

  test('wide aliases without depth, by the number of their values', () => {
    const doubled = chain(30, (before) => `{<<: [${before}, ${before}]}`);
    expect(() => parseDocuments(doubled, HELM_YAML)).toThrow('more than 1000000 values');
  });

  test.each(['a: &a\n  <<: *a\n', '&a [*a]', 'a: &a { b: [{ c: *a }] }', 'a: &a 1\nb: &a [*a]'])(
    'a value that contains itself, by the number of its values: %j',
    (text) => {
      expect(() => parseDocuments(text, HELM_YAML)).toThrow('more than 1000000 values');
      expect(() => parseValues(text)).toThrow(SyntaxError);
    },
  );
});

test.each<[string, string]>([
  ['the deepest accepted text', '['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH)],
  ['brackets in a text', `"${'['.repeat(many)}"`],
  ['many lists in one list', '- []\n'.repeat(1000)],
  ['several documents with aliases', 'a: &x {b: 1}\nc: *x\n---\n- 1\n--- x\n'],
  ['an empty text', ''],
  ['a text with an error', 'a: b: c\n"'],
  ['a repeated key', 'b: {a: 1}\nc: [{x: [], a: 1, "a": 2}]\n---\na: 1\nb: 2\na: 3\n'],
  ['a repeated key before another error, and after one', 'a: 1\na: 2\nb: [\n---\nb: "\\x"\na: 1\na: 2\n'],
  ['keys that are equal only as text', '1: a\n"1": b\n? [1]\n: c\n? [1]\n: d\n? {a: 1, a: 2}\n: e\n'],
  ['merge keys and empty keys', 'a: &a {b: 1}\nc: {<<: *a, b: 2}\nd: {<<: *a, <<: *a}\ne: {? , ? }\n'],
])('the reader of YAML reads %s as the yaml package does', (_, text) => {
  const expected = [...parseAllDocuments(text, { ...HELM_YAML, prettyErrors: false })];
  const read = parseDocuments(text, HELM_YAML);
  expect(read.map((document) => document.toJS())).toEqual(expected.map((document) => document.toJS()));
  const errorOf = ({ errors: [error] }: (typeof read)[number]) => [error?.code, error?.pos[0]];
  expect(read.map(errorOf)).toEqual(expected.map(errorOf));
});

test('the reader of YAML reads many keys of a map in linear time', () => {
  expectLinear((count) => {
    const keys = Array.from({ length: count }, (_, index) => `k${index}: 1\n`).join('');
    expect(Object.keys(parseValues(keys))).toHaveLength(count);
  }, 1_000);
});

test('an alias may occur often, but not so often that the search for its anchor takes seconds', () => {
  const used = (times: number) => `a: &a { b: 1 }\nc: [${'*a, '.repeat(times)}]`;
  expect(parseValues(used(300)).c).toHaveLength(300);
  const half = used(5_000);
  expect(() => parseDocuments(half)).not.toThrow();
  expect(() => parseDocuments(`${half}\n---\n${half}\nd: *a`)).toThrow(AliasError);
});

/** The reason why a file may call a parser of the yaml package without a check of depth. */
const UNCHECKED = {
  'operator/src/config/values/edit-values.ts': 'parseValues has read the text before',
  'packages/controller-runtime/client/kube-config.ts': "the user's own file",
};

test('no code calls a parser of the yaml package without a check of depth', () => {
  const root = join(__dirname, '../../..');
  const files = ['packages', 'lib', 'operator/api', 'operator/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${folder}/${file}`),
  );
  const unchecked = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const [, imported = ''] = /import \{([^}]*)\} from 'yaml';/.exec(text) ?? [];
    return (
      /\b(?:parse|parseDocument|parseAllDocuments|Parser)\b/.test(imported) && !/checkDepth\(|parser\.stack/.test(text)
    );
  });
  expect(unchecked.toSorted()).toEqual(Object.keys(UNCHECKED));
});
