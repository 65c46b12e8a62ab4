import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { EqualFiles, NotAFile, readRegularFile } from '#helm/chart/regular-file';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'regular-file-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const CONTENTS: readonly Buffer[] = [
  ...['', 'a', 'b', 'aa', 'kind: B', 'kind: Ä\n', 'kind: B\n', '\ufeffkind: A\n', '日本\n', '\u0000'].map((text) =>
    Buffer.from(text),
  ),
  // Invalid UTF-8: different bytes that decode to the same text.
  ...[[0xff], [0xfe], [0xc3], [0xc3, 0x28]].map((bytes) => Buffer.from(bytes)),
  ...[1_048_575, 1_048_576, 1_048_577].map((size) => Buffer.alloc(size, 'x')),
  Buffer.alloc(1_048_577, 'y'),
];

test('each of many almost equal files keeps its own text', () => {
  const files = fc.array(fc.tuple(fc.constantFrom(...CONTENTS), fc.constantFrom('name', 'other')), { maxLength: 12 });
  fc.assert(
    fc.property(files, (all) => {
      const reader = new EqualFiles();
      const path = join(folder, 'file');
      for (const [bytes, name] of all) {
        writeFileSync(path, bytes);
        expect(reader.read(path, name) === readRegularFile(path)).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});

test.each(['a: 1\n', ''])('a link is read, and a folder and a device are not, after a file with %j', (text) => {
  const inside = mkdtempSync(join(folder, 'inside-'));
  writeFileSync(join(inside, 'target'), text);
  symlinkSync('target', join(inside, 'link'));
  const reader = new EqualFiles();
  for (const name of ['target', 'link']) expect(reader.read(join(inside, name), 'a')).toBe(text);
  for (const path of [inside, '/dev/null', '/dev/zero']) expect(() => reader.read(path, 'a')).toThrow(NotAFile);
  expect(() => reader.read(join(folder, 'missing'), 'a')).toThrow('ENOENT');
});
