import { injectorMark, markedHash } from '#operator/src/propagation/objects/injector-mark';
import { HASH } from '#test/support/operator/propagation-objects';

test('each restart leaves another mark, in which the configuration is found again', () => {
  expect(injectorMark(HASH, 1)).not.toBe(injectorMark(HASH, 2));
  expect(markedHash(injectorMark(HASH, 2))).toBe(HASH);
  expect(markedHash(undefined)).toBeUndefined();
});
