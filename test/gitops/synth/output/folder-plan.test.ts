import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileContents } from '#lib/gitops/synth/output/folder-plan';
import { temporaryDirectory } from './tree-on-disk';

const directory = temporaryDirectory();

/** Whether a file with these bytes is taken to hold a text. */
function holds(bytes: string | Uint8Array, text: string, contents = new FileContents()): boolean {
  const path = join(directory.path, 'file');
  writeFileSync(path, bytes);
  return contents.are(path, text);
}

test.each([
  ['the same', 'kind: Secret\n', 'kind: Secret\n', true],
  ['the same, not in ASCII', 'note: ÄŁ🙂\n', 'note: ÄŁ🙂\n', true],
  ['nothing, as it should', '', '', true],
  ['something where nothing should be', 'a', '', false],
  ['nothing where something should be', '', 'a', false],
  ['a byte more', 'abc', 'ab', false],
  ['a byte less', 'ab', 'abc', false],
  ['another byte', 'abd', 'abc', false],
  ['a mark of byte order', '\uFEFFabc', 'abc', false],
  ['bytes that are no text, and would be read as this one', Uint8Array.of(0x61, 0xff), 'a\uFFFD', false],
])('a file with %s', (_, bytes, text, expected) => {
  expect(holds(bytes, text)).toBe(expected);
});

test('many texts, short and long, of which none is taken for another', () => {
  const contents = new FileContents();
  const texts = ['a', 'b'.repeat(100_000), 'c'.repeat(250_000), 'c'.repeat(250_001), 'a', 'd'.repeat(100)];
  for (const onDisk of texts) {
    for (const text of texts) expect(holds(onDisk, text, contents)).toBe(onDisk === text);
  }
});
