import { reissuingFields } from '#lib/gitops/changes/reissuing-fields';

test.each([
  ['RSA', 2048],
  ['ECDSA', 256],
])('an %s key of %i bits is the key that a certificate without a size has', (algorithm, size) => {
  const of = (bits: number) =>
    reissuingFields({ privateKey: { algorithm } }, { privateKey: { algorithm, size: bits } });
  expect(of(size)).toEqual([]);
  expect(of(2 * size)).toEqual(['privateKey']);
});
