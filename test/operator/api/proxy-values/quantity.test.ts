import * as fc from 'fast-check';
import { quantityOf } from '../../../../operator/api/kubernetes/quantity';
import { checkAmount } from '../../../../operator/api/proxy-values/quantity';

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
  [{ request: '100mm' }, false, 'proxy.cpu.request is "100mm"'],
  [{ limit: '-1' }, false, 'proxy.cpu.limit is "-1"'],
  [{ limit: '64m' }, true, 'proxy.cpu.limit is 64m, which is 0.064 bytes'],
  [{ request: '0.2', limit: '100m' }, false, 'proxy.cpu.request is 0.2, more than proxy.cpu.limit of 100m'],
] as const)('%j', (amount, whole, what) =>
  expect(checkAmount('proxy.cpu', amount, whole)).toEqual([expect.objectContaining({ what })]),
);

test('fractions of a CPU are fine', () =>
  expect(checkAmount('proxy.cpu', { request: '0.2', limit: '1' }, false)).toEqual([]));

test('all that is wrong is reported', () =>
  expect(checkAmount('proxy.cpu', { request: 'a', limit: 'b' }, false)).toHaveLength(2));
