import fc from 'fast-check';
import { proxyUid } from '#operator/src/multus/mutate-pod';

test.each<[string, number, number]>([
  ['1000680000/10000', 2102, 1000682102],
  ['1000680000-1000689999', 2102, 1000682102],
  [' 1000680000/10000 ', 0, 1000680000],
  ['1000680000/2103', 2102, 1000682102],
  ['1000680000/2102', 2102, 1000682101],
  ['1000680000/2', 2102, 1000680001],
  ['0/10', 1, 1],
  ['2147483646/2', 1, 2147483647],
])('the user of the proxy in the range %s with the offset %d is %d', (range, offset, uid) => {
  expect(proxyUid(range, offset)).toEqual({ uid });
});

test.each([
  '',
  '1000680000',
  '1000680000/',
  '/10000',
  '1000680000/0',
  '1000680000/-5',
  '-1/10',
  'a/b',
  '1e9/10',
  '1000680000/10000/5',
  '1000680000,10000',
  '9-5',
  '2147483647/2',
  '99999999999/10',
])('the reader of ranges of users rejects %j', (range) => {
  expect(proxyUid(range, 2102)).toEqual({ problem: 'is not <first user>/<number of users>' });
});

test.each(['1000680000/1', '7-7'])('the range %s has no second user', (range) => {
  expect(proxyUid(range, 2102)).toEqual({ problem: 'leaves no UID for the proxy next to that of the application' });
});

test('the user of the proxy is always in the range', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 30 }),
      fc.integer({ min: 2, max: 2 ** 20 }),
      fc.integer({ min: 0, max: 2 ** 21 }),
      (first, size, offset) => {
        const user = proxyUid(`${first}/${size}`, offset);
        if ('problem' in user) throw new Error(user.problem);
        expect(user.uid).toBeGreaterThanOrEqual(first);
        expect(user.uid).toBeLessThan(first + size);
      },
    ),
  );
});
