import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { MAX_DEPTH } from '#base/max-depth';
import { HELM_YAML } from '#base/values-document';
import { readWrittenYaml } from '#base/written-yaml';
import { parseDocuments } from '#base/yaml-documents';
import { stringifyYaml } from '#base/yaml-writer';
import { runs } from '../../support/depth';
import { expectLinear } from '../../support/growth';
import { nastyData } from '../../support/nasty-data';
import { ORDINARY_OBJECTS } from '../../support/ordinary-objects';

function lines(...text: readonly string[]): string {
  return `${text.join('\n')}\n`;
}

/** The same data with all maps in the reverse order of insertion. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

describe('stringifyYaml', () => {
  test.each(ORDINARY_OBJECTS)('writes $kind with the same bytes as the yaml package', (object) => {
    expect(stringifyYaml(object)).toBe(stringify(object, { lineWidth: 0 }));
  });

  test.each(ORDINARY_OBJECTS)('writes $kind with the same bytes for any order of its keys', (object) => {
    expect(stringifyYaml(reversed(object))).toBe(stringifyYaml(object));
  });

  test('indents lists below their key, and begins maps in a list on the line of the dash', () => {
    expect(stringifyYaml({ rules: [{ host: 'a', paths: ['/'] }, 'b', [1, [2]]] })).toBe(
      lines('rules:', '  - host: a', '    paths:', '      - /', '  - b', '  - - 1', '    - - 2'),
    );
  });

  test('writes empty maps and lists on the line of their key', () => {
    expect(stringifyYaml({ a: {}, b: [], c: [{}, []] })).toBe(lines('a: {}', 'b: []', 'c:', '  - {}', '  - []'));
  });

  test.each([
    [{}, '{}'],
    [[], '[]'],
    [null, 'null'],
    ['x', 'x'],
    ['x\ny', '"x\\ny"'],
    [1, '1'],
  ])('writes the document %j', (data, text) => expect(stringifyYaml(data)).toBe(lines(text)));

  test('writes null, and omits undefined members', () => {
    expect(stringifyYaml({ a: null, b: undefined, c: { d: undefined } })).toBe(lines('a: null', 'c: {}'));
  });

  test('writes a repeated object in full each time', () => {
    const labels = { app: 'x' };
    expect(stringifyYaml({ a: labels, b: labels })).toBe(lines('a:', '  app: x', 'b:', '  app: x'));
  });

  test('does not fold long lines', () => {
    const text = 'word '.repeat(100).trim();
    expect(stringifyYaml({ text })).toBe(lines(`text: ${text}`));
  });

  test('writes a question mark before a key that is too long for YAML readers', () => {
    const key = 'k'.repeat(1_001);
    expect(stringifyYaml({ map: { [key]: { a: 1 } } })).toBe(lines('map:', `  ? ${key}`, '  :', '    a: 1'));
  });

  test('accepts maps without a prototype and maps of another realm', () => {
    expect(stringifyYaml(Object.assign(Object.create(null), { a: 1 }))).toBe(lines('a: 1'));
    expect(stringifyYaml(structuredClone({ a: 1 }))).toBe(lines('a: 1'));
  });
});

describe('stringifyYaml refuses', () => {
  const cycle: Record<string, unknown> = {};
  cycle.list = [{ back: cycle }];

  test.each<[string, unknown, string]>([
    ['undefined in a list', { spec: { args: ['a', undefined] } }, 'spec.args.1 as YAML: it is undefined'],
    ['a hole in a list', { args: new Array(1) }, 'args.0 as YAML: it is undefined'],
    ['undefined', undefined, 'data as YAML: it is undefined'],
    ['a function', { spec: { run: () => 0 } }, 'spec.run as YAML: it is a function'],
    ['a symbol', [Symbol('x')], '0 as YAML: it is a symbol'],
    ['a bigint', { replicas: 3n }, 'replicas as YAML: it is a bigint'],
    ['NaN', { replicas: Number.NaN }, 'replicas as YAML: it is NaN'],
    ['infinity', { replicas: -Infinity }, 'replicas as YAML: it is -Infinity'],
    ['a Date', { at: new Date(0) }, 'at as YAML: it is a Date, not plain data'],
    ['a Map', { at: new Map() }, 'at as YAML: it is a Map, not plain data'],
    ['half of a surrogate pair', { data: ['\ud83d'] }, 'data.0 as YAML: it has half of a surrogate pair'],
    ['a key with half of a surrogate pair', { '\ude00': 1 }, '\ude00 as YAML: it has half of a surrogate pair'],
    ['a cycle', cycle, 'list.0.back as YAML: it contains itself'],
  ])('%s', (_, data, message) => {
    expect(() => stringifyYaml(data)).toThrow(TypeError);
    expect(() => stringifyYaml(data)).toThrow(`Cannot write ${message}`);
  });
});

/** The value that the YAML parser reads; undefined for an error or several documents. */
function parsed(text: string): unknown {
  const [document, second] = parseDocuments(text, HELM_YAML);
  return document === undefined || second !== undefined || document.errors.length > 0 ? undefined : document.toJS();
}

describe('readWrittenYaml', () => {
  /** Matches long keys, `__proto__` and -0, which the reader leaves to the parser. */
  const LEFT_TO_PARSER = /^ *(?:- )*(?:\? |__proto__:)|-0\.0$/m;

  test('returns the original data, as the parser does', () => {
    fc.assert(
      fc.property(nastyData, (data) => {
        const text = stringifyYaml(data);
        const read = readWrittenYaml(text);
        if (read !== undefined) expect(isDeepStrictEqual(read.content, parsed(text))).toBe(true);
        else expect(text).toMatch(LEFT_TO_PARSER);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('reads each file of the output without the parser', () => {
    const root = join(__dirname, '..', '..', '..', 'dist');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
    const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
    expect(files.filter((_, index) => readWrittenYaml(texts[index] ?? '') === undefined)).toEqual([]);
  });

  test('returns equal blocks as one value, even from otherwise different texts', () => {
    const read = (text: string) => readWrittenYaml(text)?.content as Readonly<Record<string, unknown>>;
    const block = lines('labels:', '  a: b', '  c:', '    - d: |', '        e', '', '        f');
    expect(read(`kind: A\n${block}`).labels).toBe(read(block).labels);
    expect(read(lines('labels:', '  a: b', '  c:', '    - d: |', '        e'))).toEqual({
      labels: { a: 'b', c: [{ d: 'e\n' }] },
    });
    // The order of keys depends on the parent key.
    for (const key of ['metadata', 'spec']) {
      const text = lines(`${key}:`, '  name: a', '  labels: {}', '  annotations: {}');
      expect(readWrittenYaml(text) !== undefined).toBe(key === 'metadata');
    }
  });

  const EDITS = [
    ...' -:#?|>&*!%@~"\'{}[],\n\t\r\\0x',
    '\n\n',
    '  ',
    ': ',
    '- ',
    '---\n',
    '...\n',
    '&a ',
    '*a',
    '<<: ',
    '!!str ',
  ];

  test('returns the result of the parser, or nothing, for an edited text', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.constantFrom('', ...EDITS)), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.oneof(nastyData, fc.constantFrom(...ORDINARY_OBJECTS)), edits, (data, all) => {
        const text = all.reduce((before, [place, removed, added]) => {
          const at = place % (before.length + 1);
          return before.slice(0, at) + added + before.slice(at + removed);
        }, stringifyYaml(data));
        const read = readWrittenYaml(text);
        if (read !== undefined) expect(isDeepStrictEqual(read.content, parsed(text))).toBe(true);
      }),
      { numRuns: runs(8_000) },
    );
  });

  test.each([
    ['an empty text', ''],
    ['an empty line', '\n'],
    ['no line end', 'a: 1'],
    ['line ends of Windows', 'a: 1\r\n'],
    ['a byte order mark', '\ufeffa: 1\n'],
    ['a comment', '# a\na: 1\n'],
    ['a comment after a value', 'a: 1 # b\n'],
    ['a directive', '%YAML 1.1\n---\na: 1\n'],
    ['a marker', '---\na: 1\n'],
    ['two documents', 'a: 1\n---\nb: 2\n'],
    ['an anchor', 'a: &x 1\nb: *x\n'],
    ['a merge key', 'a:\n  <<: x\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a repeated key', 'a: 1\na: 2\n'],
    ['a repeated key after a list', 'a:\n  - 1\na: 2\n'],
    ['a flow collection', 'a: {b: 1}\n'],
    ['a folded text', 'a: >-\n  b\n  c\n'],
    ['a plain text of two lines', 'a: b\n  c\n'],
    ['a list in the column of its key', 'a:\n- 1\n'],
    ['four spaces', 'a:\n    b: 1\n'],
    ['a tab', 'a:\t1\n'],
    ['keys in another order', 'b: 1\na: 2\n'],
    ['a number in another notation', 'a: 0x1\n'],
    ['a number that is too large', 'a: 123456789012345678901\n'],
    ['a word of YAML 1.1', 'a: yes\n'],
    ['quotes that are not needed', 'a: "b"\n'],
    ['a missing value', 'a:\n'],
    ['a space at the end', 'a: 1 \n'],
    ['the key of a prototype', '__proto__: 1\n'],
    ['the key of a prototype without members', '__proto__: null\n'],
    ['negative zero', 'a: -0.0\n'],
    ['a hundred levels', `${'- '.repeat(MAX_DEPTH)}1\n`],
    ['a million characters', `a: ${'x'.repeat(1_000_000)}\n`],
  ])('leaves to the parser: %s', (_, text) => expect(readWrittenYaml(text)).toBeUndefined());

  test.each(['- ', 'a: ', '"a": ', "'a': ", '"', '\\"', ': ', 'a:\n', '- 1\n', 'a: |\n', '\n', '  ', '0', '{'])(
    'takes linear time for many repetitions of %j',
    (piece) => {
      let run = 0;
      expectLinear((count) => {
        run += 1;
        for (const start of ['', 'a: ', '- ']) readWrittenYaml(`${start}${piece.repeat(count)}x${run}\n`);
      }, 1_000);
    },
  );
});
