import * as fc from 'fast-check';
import { quantityOf } from '#base/quantity';
import { checkAmount } from '#linkerd/proxy-values/quantity';
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
])('the reader of quantities reads %s as %d', (text, value) => expect(quantityOf(text)).toBe(value));

test.each(['', 'm', '1 Gi', '64MB', '64mi', '1,5', 'Mi', '1e', '0x10', '1KiB'])(
  'the reader of quantities rejects "%s"',
  (text) => expect(quantityOf(text)).toBeUndefined(),
);

test('the reader of quantities reads thousandths and fractions as equal', () => {
  void fc.assert(fc.property(fc.nat(1_000_000), (n) => quantityOf(`${n}m`) === quantityOf(String(n / 1000))));
});

test('the check of resources reports a request above its limit, and accepts an equal one', () => {
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
] as const)('the check of resources reports a problem of %j', (amount, whole, what) =>
  expect(checkAmount('proxy.cpu', amount, whole).map(facts)).toMatchObject([what]),
);

test('the check of resources accepts fractions of a CPU', () =>
  expect(checkAmount('proxy.cpu', { request: '0.2', limit: '1' }, false)).toEqual([]));

test('the check of resources reports all problems at once', () =>
  expect(checkAmount('proxy.cpu', { request: 'a', limit: 'b' }, false)).toHaveLength(2));
