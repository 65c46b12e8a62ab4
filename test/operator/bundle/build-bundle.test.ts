import { createHash, randomBytes } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { packBundle } from '#operator/bundle/build-bundle';

test('the pack of a bundle contains the program unchanged', () => {
  const code = Buffer.from('console.log("☃")\n'.repeat(1000));
  const { sha256, bytes, zstd } = packBundle(code);
  expect(zstdDecompressSync(Buffer.from(zstd, 'base64')).equals(code)).toBe(true);
  expect(bytes).toBe(code.length);
  expect(sha256).toBe(createHash('sha256').update(code).digest('hex'));
});

test('the bytes of a pack depend on the program only', () => {
  const { zstd } = packBundle(Buffer.from('a'.repeat(100)));
  // A frame of RFC 8878 with known bytes: it contains no time, name or operating system.
  expect(Buffer.from(zstd, 'base64').toString('hex')).toBe('28b52ffd206445000010616101003f012c');
  expect(packBundle(Buffer.from('a'.repeat(100))).zstd).toBe(zstd);
});

test('the build refuses a program that is too large', () => {
  expect(() => packBundle(randomBytes(1024 * 1024))).toThrow(
    /The bundled operator has \d+ bytes compressed, more than 160000/,
  );
});
