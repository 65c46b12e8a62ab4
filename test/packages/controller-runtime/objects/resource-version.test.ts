import fc from 'fast-check';
import { isLaterVersion } from '#controller-runtime/objects/resource-version';

const versions = fc.bigInt({ min: 1n, max: 2n ** 70n });

test('versions are ordered as the numbers that they are, of any length', () => {
  fc.assert(
    fc.property(versions, versions, (one, other) => isLaterVersion(String(one), String(other)) === one > other),
  );
});

test('versions that are no numbers differ or do not', () => {
  expect(isLaterVersion('abc', 'abd')).toBe(true);
  expect(isLaterVersion('abc', 'abc')).toBe(false);
  expect(isLaterVersion('12', '0x3')).toBe(true);
});

test('a version that is not known counts as later, and as passed', () => {
  expect(isLaterVersion(undefined, '1')).toBe(true);
  expect(isLaterVersion('1', undefined)).toBe(true);
});
