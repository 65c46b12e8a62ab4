import { Duration, Size } from 'cdk8s';
import { checkPlain, isPlain, MAX_NESTED, plainCopy } from '#kubernetes/objects/plain-data';

const CYCLE: Record<string, unknown> = {};
CYCLE.self = [CYCLE];

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

const HALF = String.fromCharCode(0xd800);

test.each<readonly [string, unknown, string]>([
  ['a Date', new Date(0), 'values.a is a Date, not plain data'],
  ['a Map', new Map([['a', 1]]), 'values.a is a Map'],
  ['a Set', new Set(), 'values.a is a Set'],
  ['a URL', new URL('https://example.com'), 'values.a is a URL'],
  ['a RegExp', /a/, 'values.a is a RegExp'],
  ['a Buffer', Buffer.from('a'), 'values.a is a Buffer'],
  ['a Duration', Duration.hours(1), 'values.a is a Duration'],
  ['a Size', Size.gibibytes(1), 'values.a is a Size'],
  ['a Promise', Promise.resolve(), 'values.a is a Promise'],
  ['a class of the user', new (class Own {})(), 'values.a is a Own'],
  ['an Error', new Error('no'), 'values.a is a Error'],
  ['a BigInt', 1n, 'values.a is a BigInt'],
  ['a function', () => 1, 'values.a is a function'],
  ['a symbol', Symbol('a'), 'values.a is a symbol'],
  ['NaN', Number.NaN, 'values.a is NaN'],
  ['infinity', Number.POSITIVE_INFINITY, 'values.a is Infinity'],
  ['half of a surrogate pair', HALF, 'values.a is a string with half of a surrogate pair'],
  ['half of a surrogate pair as a key', { [HALF]: 1 }, 'is a string with half of a surrogate pair'],
  ['undefined in a list', [1, undefined], 'values.a[1] is undefined in a list'],
  ['a cycle', CYCLE, 'values.a.self[0] is a map or list that contains itself'],
  ['a deep list', nested(200), 'levels deep'],
  [
    'a getter that throws',
    Object.defineProperty({}, 'b', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    }),
    'values.a.b is a getter that throws: no',
  ],
])('plainCopy reports %s once, by its path', (_what, value, says) => {
  const { data, problems } = plainCopy({ a: value, b: { constructor: 1 } }, 'values');
  expect(problems.map(({ what }) => what)).toEqual([expect.stringContaining(says)]);
  expect(data).toMatchObject({ b: { constructor: 1 } });
  expect(JSON.stringify(data).length).toBeLessThan(500);
});

test.each<readonly [string, unknown]>([
  ['an empty map', {}],
  ['all types of JSON', { a: [1, -0.5, 'text', true, null, { b: {} }], '': 'a' }],
  ['absent members', { a: undefined }],
  ['maps without a prototype', Object.assign(Object.create(null), { a: 1 })],
  ['keys of Object.prototype', JSON.parse('{"constructor":1,"toString":{"__proto__":{"a":2}},"__proto__":3}')],
  ['the same map twice', [CYCLE.x, { a: 1 }].slice(1).flatMap((map) => [map, map])],
  ['the deepest list allowed', nested(MAX_NESTED)],
])('plainCopy accepts %s', (_what, data) => {
  const copy = plainCopy(data, 'values');
  expect(copy.problems).toEqual([]);
  expect(JSON.stringify(copy.data)).toBe(JSON.stringify(data));
  expect(isPlain(data)).toBe(true);
});

test('plainCopy calls a getter once', () => {
  let asked = 0;
  const values = Object.defineProperty({}, 'a', { enumerable: true, get: () => ++asked });
  const { data } = plainCopy(values, 'values');
  expect([JSON.stringify(data), JSON.stringify(data), asked]).toEqual(['{"a":1}', '{"a":1}', 1]);
});

test('checkPlain reports all problems of an object at once', () => {
  const whats = checkPlain({ spec: [1n, new Date(0)] }, 'Tool shop/a:').map(({ what }) => what);
  expect(whats).toEqual(['Tool shop/a: spec[0] is a BigInt', 'Tool shop/a: spec[1] is a Date, not plain data']);
});
