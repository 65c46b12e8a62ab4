import { createHash, randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { packBundle } from '../../../operator/bundle/pack-bundle';

test('a program is packed as it is', () => {
  const code = Buffer.from('console.log("☃")\n'.repeat(1000));
  const { sha256, bytes, gzip } = packBundle(code);
  expect(gunzipSync(Buffer.from(gzip, 'base64')).equals(code)).toBe(true);
  expect(bytes).toBe(code.length);
  expect(sha256).toBe(createHash('sha256').update(code).digest('hex'));
});

test('nothing but the program decides the bytes', () => {
  const { gzip } = packBundle(Buffer.from('a'.repeat(100)));
  // Header of RFC 1952: no time, best compression, no operating system that differs.
  expect(Buffer.from(gzip, 'base64').subarray(0, 10).toString('hex')).toBe('1f8b0800000000000203');
  expect(packBundle(Buffer.from('a'.repeat(100))).gzip).toBe(gzip);
});

test('a program that does not fit a ConfigMap is refused', () => {
  expect(() => packBundle(randomBytes(1024 * 1024))).toThrow(
    /The bundled operator has \d+ bytes compressed, but a ConfigMap holds at most 1044480/,
  );
});
