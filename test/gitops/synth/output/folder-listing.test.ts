import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { FolderListing } from '#lib/gitops/synth/output/folder-listing';
import { temporaryDirectory, writeFiles } from './tree-on-disk';

const directory = temporaryDirectory();

function find(path: string, root = '.'): unknown {
  return new FolderListing(join(directory.path, root)).find(path);
}

test('finds files, directories, and what is missing', () => {
  writeFiles(directory.path, { 'a/b.yaml': '' });
  expect([find('a/b.yaml'), find('a'), find('a/c.yaml'), find('x/y/z'), find('.')]).toEqual([
    'file',
    'directory',
    'missing',
    'missing',
    'directory',
  ]);
});

test('does not go through links, nor through files', () => {
  writeFiles(directory.path, { 'real/b.yaml': '' });
  symlinkSync('real', join(directory.path, 'link'));
  symlinkSync('real/b.yaml', join(directory.path, 'b.yaml'));
  expect(find('link/b.yaml')).toEqual({ obstacle: 'link' });
  expect(find('b.yaml')).toEqual({ obstacle: 'b.yaml' });
  expect(find('real/b.yaml/c')).toEqual({ obstacle: 'real/b.yaml' });
});

test('the folder itself may be missing, or an obstacle', () => {
  mkdirSync(join(directory.path, 'real'));
  symlinkSync('real', join(directory.path, 'link'));
  expect([find('a', 'absent'), find('.', 'absent')]).toEqual(['missing', 'missing']);
  expect([find('a', 'link'), find('.', 'link')]).toEqual([{ obstacle: '.' }, { obstacle: '.' }]);
});
