import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkOutdir } from '../../../lib/synth/output/outdir-check';
import { temporaryDirectory } from './tree-on-disk';

const directory = temporaryDirectory();
const at = (path: string) => join(directory.path, path);

test('a folder, one that is yet to be made, and a link to one', () => {
  mkdirSync(at('there'));
  symlinkSync('there', at('link'));
  expect(['there', 'there/deep/down', 'link'].flatMap((path) => checkOutdir(at(path)))).toEqual([]);
});

test('a file, what would be below it, and a link that leads nowhere', () => {
  writeFileSync(at('file'), '');
  symlinkSync('nowhere', at('link'));
  expect(['file', 'file/deep/down', 'link'].flatMap((path) => checkOutdir(at(path))).map(({ what }) => what)).toEqual([
    `outdir is ${at('file')}, but ${at('file')} is not a folder`,
    `outdir is ${at('file/deep/down')}, but ${at('file')} is not a folder`,
    `outdir is ${at('link')}, but ${at('link')} is not a folder`,
  ]);
});
