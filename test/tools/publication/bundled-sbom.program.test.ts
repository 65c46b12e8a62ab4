import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { bundledPackages } from '../../../operator/bundle/build-bundle';
import { type Bom, bundledBom } from '../../../tools/publication/bundled-sbom';

const PROGRAM = { name: 'it', version: '1.0.0', description: 'A program' };

function component(name: string, version: string) {
  return { name, version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}`, 'bom-ref': `${name}@${version}` };
}

const BOM: Bom = {
  metadata: { component: { name: 'folder', version: '0.0.0', 'bom-ref': 'folder@0.0.0' } },
  components: [component('@a/b', '1.0.0'), component('c', '1.0.0'), component('c', '2.0.0'), component('d', '1.0.0')],
  dependencies: [
    { ref: 'folder@0.0.0', dependsOn: ['@a/b@1.0.0', 'd@1.0.0'] },
    { ref: '@a/b@1.0.0', dependsOn: ['c@2.0.0', 'd@1.0.0'] },
    { ref: 'c@2.0.0', dependsOn: [] },
  ],
};

test('of what npm lists, that is kept of which there is code', () => {
  const packages = [
    { name: '@a/b', version: '1.0.0' },
    { name: 'c', version: '2.0.0' },
  ];
  expect(bundledBom(BOM, PROGRAM, packages)).toEqual({
    metadata: { component: { ...PROGRAM, purl: 'pkg:npm/it@1.0.0', 'bom-ref': 'it@1.0.0' } },
    components: [component('@a/b', '1.0.0'), component('c', '2.0.0')],
    dependencies: [
      { ref: 'it@1.0.0', dependsOn: ['@a/b@1.0.0', 'c@2.0.0'] },
      { ref: '@a/b@1.0.0', dependsOn: ['c@2.0.0'] },
      { ref: 'c@2.0.0', dependsOn: [] },
    ],
  });
});

test('what npm does not list is not left out silently', () => {
  expect(() => bundledBom(BOM, PROGRAM, [{ name: 'c', version: '3.0.0' }])).toThrow('lacks c 3.0.0');
});

test('the command lists the packages of the operator, and asks nobody', () => {
  const printed = execFileSync('npm', ['run', '-s', 'publication:operator-sbom', '--offline'], {
    cwd: join(__dirname, '../../..'),
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const bom: Bom = JSON.parse(printed);
  expect(bom.metadata.component).toMatchObject({ name: 'linkerd-reconciler', purl: expect.stringMatching(/^pkg:npm/) });
  expect(bom.components.map(({ name, version }) => ({ name, version }))).toEqual(bundledPackages());
  expect(bom.components.length).toBeGreaterThan(3);
});
