import fc from 'fast-check';
import { isLaterVersion } from '#controller-runtime/objects/resource-version';

const versions = fc.bigInt({ min: 1n, max: 2n ** 70n });

test('resource versions are ordered as numbers of any length', () => {
  fc.assert(
    fc.property(versions, versions, (one, other) => isLaterVersion(String(one), String(other)) === one > other),
  );
});

test('resource versions that are not numbers are only equal or different', () => {
  expect(isLaterVersion('abc', 'abd')).toBe(true);
  expect(isLaterVersion('abc', 'abc')).toBe(false);
  expect(isLaterVersion('12', '0x3')).toBe(true);
});

test('an unknown resource version counts as later, and as passed', () => {
  expect(isLaterVersion(undefined, '1')).toBe(true);
  expect(isLaterVersion('1', undefined)).toBe(true);
});
