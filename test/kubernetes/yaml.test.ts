import { stringify } from 'yaml';
import { stringifyYaml } from '#lib/kubernetes/yaml';
import { ORDINARY_OBJECTS } from '../support/ordinary-objects';

function lines(...text: readonly string[]): string {
  return `${text.join('\n')}\n`;
}

/** The same data with the members of all maps inserted the other way round. */
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
  ])('writes the document %j', (data, text) => {
    expect(stringifyYaml(data)).toBe(lines(text));
  });

  test('writes null, and omits undefined members', () => {
    expect(stringifyYaml({ a: null, b: undefined, c: { d: undefined } })).toBe(lines('a: null', 'c: {}'));
  });

  test('writes an object twice that is in two places', () => {
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
    ['a Date', { at: new Date(0) }, 'at as YAML: it is no plain data but a Date'],
    ['a Map', { at: new Map() }, 'at as YAML: it is no plain data but a Map'],
    ['half of a surrogate pair', { data: ['\ud83d'] }, 'data.0 as YAML: it has half of a surrogate pair'],
    ['a key with half of a surrogate pair', { '\ude00': 1 }, '\ude00 as YAML: it has half of a surrogate pair'],
    ['a cycle', cycle, 'list.0.back as YAML: it contains itself'],
  ])('%s', (_, data, message) => {
    expect(() => stringifyYaml(data)).toThrow(TypeError);
    expect(() => stringifyYaml(data)).toThrow(`Cannot write ${message}`);
  });
});
