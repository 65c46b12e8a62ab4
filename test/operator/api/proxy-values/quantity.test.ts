import * as fc from 'fast-check';
import { quantityOf } from '#base/quantity';
import { checkAmount } from '#operator/api/proxy-values/quantity';
import { facts } from '#test/support/findings';

test.each([
  ['1', 1],
  ['0.1', 0.1],
  ['.5', 0.5],
  ['5.', 5],
  ['100m', 0.1],
  ['300m', 0.3],
  ['700m', 0.7],
  ['250u', 0.00025],
  ['64Mi', 64 * 1024 * 1024],
  ['1.5Gi', 1.5 * 1024 ** 3],
  ['2k', 2000],
  ['1E', 1e18],
  ['1e3', 1000],
  ['12E-1', 1.2],
  ['-1', -1],
])('%s is %d', (text, value) => expect(quantityOf(text)).toBe(value));

test.each(['', 'm', '1 Gi', '64MB', '64mi', '1,5', 'Mi', '1e', '0x10', '1KiB'])('"%s" is no quantity', (text) =>
  expect(quantityOf(text)).toBeUndefined(),
);

test('thousandths are the same as fractions', () => {
  void fc.assert(fc.property(fc.nat(1_000_000), (n) => quantityOf(`${n}m`) === quantityOf(String(n / 1000))));
});

test('a request that exceeds the limit is a problem, and equal ones are not', () => {
  void fc.assert(
    fc.property(fc.nat(10_000), fc.nat(10_000), (request, limit) => {
      const problems = checkAmount('proxy.memory', { request: `${request}Ki`, limit: `${limit * 1024}` }, true);
      return problems.length === (request > limit ? 1 : 0);
    }),
  );
});

test.each([
  [
    { request: '100mm' },
    false,
    { finding: 'quantity-refused/invalid', field: 'proxy.cpu.request', quantity: '100mm', example: '100m' },
  ],
  [{ limit: '-1' }, false, { finding: 'quantity-refused/invalid', field: 'proxy.cpu.limit', quantity: '-1' }],
  [
    { limit: '64m' },
    true,
    { finding: 'quantity-refused/fraction', field: 'proxy.cpu.limit', quantity: '64m', bytes: 0.064 },
  ],
  [
    { request: '0.2', limit: '100m' },
    false,
    { finding: 'request-over-limit', field: 'proxy.cpu', request: '0.2', limit: '100m' },
  ],
] as const)('%j', (amount, whole, what) =>
  expect(checkAmount('proxy.cpu', amount, whole).map(facts)).toMatchObject([what]),
);

test('fractions of a CPU are fine', () =>
  expect(checkAmount('proxy.cpu', { request: '0.2', limit: '1' }, false)).toEqual([]));

test('all that is wrong is reported', () =>
  expect(checkAmount('proxy.cpu', { request: 'a', limit: 'b' }, false)).toHaveLength(2));
