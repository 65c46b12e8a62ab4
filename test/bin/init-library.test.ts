import { join } from 'node:path';
import { librarySource } from '#bin/init-library';
import { temporaryDirectory, writeFiles } from '../gitops/synth/output/tree-on-disk';

const directory = temporaryDirectory();
const project = () => join(directory.path, 'platform');

/** Installs the library like npm. @returns the folder of its command */
function installed(spec: string | undefined, field = 'dependencies'): string {
  writeFiles(directory.path, {
    'npx/package.json': JSON.stringify({ [field]: { cdk8s: '^2.0.0', ...(spec && { 'cdk8s-linkerd': spec }) } }),
    'npx/node_modules/cdk8s-linkerd/package.json': '{ "name": "cdk8s-linkerd" }',
    'archives/cdk8s-linkerd-1.2.3.tgz': 'an archive',
    'platform/vendor/library.tgz': 'another',
  });
  return join(directory.path, 'npx/node_modules/cdk8s-linkerd/build/bin');
}

test.each([
  ['^1.2.3'],
  ['https://git.example.com/cdk8s-linkerd-1.2.3.tgz'],
  ['git+ssh://git@git.example.com/cdk8s-linkerd.git#v1.2.3'],
])('librarySource keeps the specifier %s with which npm installed the library', (spec) => {
  expect(librarySource(project(), installed(spec))).toEqual({ spec });
  expect(librarySource(project(), installed(spec, 'devDependencies'))).toEqual({ spec });
});

test('librarySource copies an archive outside of the project into the project', () => {
  expect(librarySource(project(), installed('file:../archives/cdk8s-linkerd-1.2.3.tgz'))).toEqual({
    spec: 'file:cdk8s-linkerd-1.2.3.tgz',
    archive: { name: 'cdk8s-linkerd-1.2.3.tgz', file: join(directory.path, 'archives/cdk8s-linkerd-1.2.3.tgz') },
  });
});

test('librarySource keeps the path of an archive inside the project, or of a folder', () => {
  expect(librarySource(project(), installed('file:../platform/vendor/library.tgz'))).toEqual({
    spec: 'file:vendor/library.tgz',
  });
  expect(librarySource(project(), installed('file:../archives'))).toEqual({ spec: 'file:../archives' });
});

test('librarySource is undefined for a copy that npm did not install', () => {
  expect(librarySource(project(), installed(undefined))).toBeUndefined();
  expect(librarySource(project())).toBeUndefined();
});
