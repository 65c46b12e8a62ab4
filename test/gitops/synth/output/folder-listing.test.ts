import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { FolderListing } from '#lib/gitops/synth/output/folder-listing';
import { temporaryDirectory, writeFiles } from './tree-on-disk';

const directory = temporaryDirectory();

function find(path: string, root = '.'): unknown {
  return new FolderListing(join(directory.path, root)).find(path);
}

test('the listing of a folder does not follow links', () => {
  writeFiles(directory.path, { 'real/b.yaml': '' });
  symlinkSync('real', join(directory.path, 'link'));
  symlinkSync('real/b.yaml', join(directory.path, 'b.yaml'));
  expect(find('link/b.yaml')).toEqual({ obstacle: 'link' });
  expect(find('b.yaml')).toEqual({ obstacle: 'b.yaml' });
  expect(find('real/b.yaml/c')).toEqual({ obstacle: 'real/b.yaml' });
});
