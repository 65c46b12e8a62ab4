import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bom, bundledBom } from '#tools/publication/bundled-sbom';
import { readChangelog, releaseNotes } from '#tools/publication/changelog';
import { checkRelease, distributionTag, type ReleaseFacts } from '#tools/publication/check-release';
import { imageRecord, withRepository } from '#tools/publication/publication';

const GOOD: ReleaseFacts = {
  tag: 'v1.1.0',
  versions: { 'package.json': '1.1.0', 'operator/package.json': '1.1.0' },
  changelog: '# Changelog\n\n## Unreleased\n\n## 1.1.0 - 2026-11-22\n\n- New.\n\n## 1.0.0 - 2026-01-01\n\n- First.\n',
};

const changed = (from: string, to: string): ReleaseFacts => ({ ...GOOD, changelog: GOOD.changelog.replace(from, to) });

test('checkRelease accepts a consistent release, with or without a section for the next one', () => {
  expect(checkRelease(GOOD)).toEqual([]);
  expect(checkRelease(changed('## Unreleased\n\n', ''))).toEqual([]);
  const candidate = { ...changed('## 1.1.0', '## 1.2.0-rc.1'), tag: 'v1.2.0-rc.1', versions: { file: '1.2.0-rc.1' } };
  expect(checkRelease(candidate)).toEqual([]);
});

test.each<[string, ReleaseFacts, readonly string[]]>([
  ['a tag without v', { ...GOOD, tag: '1.1.0' }, ['The tag "1.1.0" is not v followed by a version']],
  ['a tag without a full version', { ...GOOD, tag: 'v1.1' }, ['The tag "v1.1" is not v followed by a version']],
  ['two tags', { ...GOOD, tag: 'v1.1.0\nv2.0.0' }, [expect.stringContaining('is not v followed by a version')]],
  [
    'a file with another version, and one without a version',
    { ...GOOD, versions: { ...GOOD.versions, 'package.json': '1.0.9', other: undefined } },
    ['package.json has 1.0.9, but the tag is v1.1.0', 'other has no version, but the tag is v1.1.0'],
  ],
  ['a missing section', changed('1.1.0', '1.0.9'), ['CHANGELOG.md has no section "## 1.1.0 - <date>"']],
  ['a section without a day', changed(' - 2026-11-22', ''), ['CHANGELOG.md has no date for 1.1.0']],
  ['an empty section', changed('- New.\n', ''), ['CHANGELOG.md has no text for 1.1.0']],
  [
    'a section that is not the newest',
    changed('## 1.1.0', '## 1.2.0 - 2026-12-01\n\n- Newer.\n\n## 1.1.0'),
    ['CHANGELOG.md lists 1.2.0 above 1.1.0'],
  ],
  [
    'changes that are not in the section',
    changed('## Unreleased\n', '## Unreleased\n\n- Forgotten.\n'),
    ['CHANGELOG.md has changes under Unreleased, which belong to this release'],
  ],
  [
    'two sections',
    changed('## 1.0.0', '## 1.1.0 - 2026-11-23\n\n- Twice.\n\n## 1.0.0'),
    ['CHANGELOG.md has 2 sections of 1.1.0'],
  ],
])('checkRelease refuses %s', (_, facts, problems) => expect(checkRelease(facts)).toEqual(problems));

test('distributionTag is "latest" only for releases that are not candidates', () => {
  expect(['1.1.0', '1.1.0-rc.1'].map(distributionTag)).toEqual(['latest', 'next']);
});

const CHANGELOG = `# Changelog

Words about it.

## Unreleased

## [1.1.0] - 2026-11-22

### Added

- One thing that
  takes two lines.
- Another:

  \`\`\`ts
  const kept = [
    'as it is',
  ];
  \`\`\`
  - with a part

### Fixed

- A third.

## 1.0.0
`;

test('releaseNotes joins the lines of each item, and keeps code unchanged', () => {
  const [, section] = readChangelog(CHANGELOG);
  expect(section && releaseNotes(section)).toBe(`### Added

- One thing that takes two lines.
- Another:

  \`\`\`ts
  const kept = [
    'as it is',
  ];
  \`\`\`
  - with a part

### Fixed

- A third.
`);
});

test('the changelog of this repository begins with Unreleased and the version of package.json', () => {
  const sections = readChangelog(readFileSync(join(__dirname, '../../../CHANGELOG.md'), 'utf8'));
  expect(sections.length).toBeGreaterThan(0);
  expect(sections.filter(({ version, date }) => version !== 'Unreleased' && date === undefined)).toEqual([]);
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8'));
  expect(sections.slice(0, 2).map((section) => section.version)).toEqual(['Unreleased', version]);
});

const PROGRAM = 'a'.repeat(64);
const DIGEST = `sha256:${'0'.repeat(64)}`;

test('imageRecord has the digest of an image and the hash of its program', () => {
  const reference = `ghcr.io/acme/linkerd-reconciler@${DIGEST}`;
  expect(imageRecord(reference, PROGRAM)).toEqual({ image: { reference, program: PROGRAM } });
});

test.each([
  '',
  '@',
  'ghcr.io/acme/linkerd-reconciler',
  'ghcr.io/acme/linkerd-reconciler:1.0.0',
  `@${DIGEST}`,
  `a@${DIGEST} `,
])('imageRecord refuses the image "%s"', (reference) => {
  expect(() => imageRecord(reference, PROGRAM)).toThrow('names no image by its digest');
});

test.each(['', 'A'.repeat(64), 'a'.repeat(63)])('imageRecord refuses the program "%s"', (program) => {
  expect(() => imageRecord(`a/b@${DIGEST}`, program)).toThrow('is not a sha256');
});

test('withRepository sets the repository and home page of the package', () => {
  const repository = { type: 'git', url: 'git+https://git.example.com/acme/mesh.git' };
  const homepage = 'https://git.example.com/acme/mesh/tree/v1.0.0';
  const published = { version: '1.0.0', homepage, repository };
  const url = 'https://git.example.com/acme/mesh';
  expect(withRepository({ name: 'mesh', version: '1.0.0' }, url)).toEqual({ name: 'mesh', ...published });
  expect(withRepository({ version: '1.0.0', repository: 'old', homepage: 'old' }, `${url}.git`)).toEqual(published);
});

test.each(['', 'https://git.example.com', 'http://git.example.com/a/b', 'https://me:key@git.example.com/a/b'])(
  'withRepository refuses the repository "%s"',
  (url) => expect(() => withRepository({}, url)).toThrow('is not an address of a repository'),
);

const DESCRIBED = { name: 'it', version: '1.0.0', description: 'A program' };

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

test('bundledBom keeps only the packages whose code is in the bundle', () => {
  const packages = [
    { name: '@a/b', version: '1.0.0' },
    { name: 'c', version: '2.0.0' },
  ];
  expect(bundledBom(BOM, DESCRIBED, packages)).toEqual({
    metadata: { component: { ...DESCRIBED, purl: 'pkg:npm/it@1.0.0', 'bom-ref': 'it@1.0.0' } },
    components: [component('@a/b', '1.0.0'), component('c', '2.0.0')],
    dependencies: [
      { ref: 'it@1.0.0', dependsOn: ['@a/b@1.0.0', 'c@2.0.0'] },
      { ref: '@a/b@1.0.0', dependsOn: ['c@2.0.0'] },
      { ref: 'c@2.0.0', dependsOn: [] },
    ],
  });
});

test('bundledBom reports a package that npm does not list', () => {
  expect(() => bundledBom(BOM, DESCRIBED, [{ name: 'c', version: '3.0.0' }])).toThrow('lacks c 3.0.0');
});
