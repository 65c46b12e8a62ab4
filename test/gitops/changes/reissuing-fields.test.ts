import { reissuingFields } from '#lib/gitops/changes/reissuing-fields';

test.each([
  ['RSA', 2048],
  ['ECDSA', 256],
])('a certificate without a key size for %s has a key of %i bits', (algorithm, size) => {
  const of = (bits: number) =>
    reissuingFields({ privateKey: { algorithm } }, { privateKey: { algorithm, size: bits } });
  expect(of(size)).toEqual([]);
  expect(of(2 * size)).toEqual(['privateKey']);
});
