import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { checkRelease, distributionTag, type ReleaseFacts } from '../../../tools/publication/check-release';

const GOOD: ReleaseFacts = {
  tag: 'v1.1.0',
  versions: { 'package.json': '1.1.0', 'operator/package.json': '1.1.0' },
  changelog: '# Changelog\n\n## Unreleased\n\n## 1.1.0 - 2026-11-22\n\n- New.\n\n## 1.0.0 - 2026-01-01\n\n- First.\n',
};

const changed = (from: string, to: string): ReleaseFacts => ({ ...GOOD, changelog: GOOD.changelog.replace(from, to) });

test('a release about which everything agrees is good, with a section for what comes next or without', () => {
  expect(checkRelease(GOOD)).toEqual([]);
  expect(checkRelease(changed('## Unreleased\n\n', ''))).toEqual([]);
  const candidate = { ...changed('## 1.1.0', '## 1.2.0-rc.1'), tag: 'v1.2.0-rc.1', versions: { file: '1.2.0-rc.1' } };
  expect(checkRelease(candidate)).toEqual([]);
});

test.each<[string, ReleaseFacts, readonly string[]]>([
  ['a tag without v', { ...GOOD, tag: '1.1.0' }, ['The tag is "1.1.0", and not v with a version after it']],
  ['no version', { ...GOOD, tag: 'v1.1' }, ['The tag is "v1.1", and not v with a version after it']],
  ['more than a tag', { ...GOOD, tag: 'v1.1.0\nv2.0.0' }, [expect.stringContaining('and not v with a version')]],
  [
    'a file that says another version, and one that says none',
    { ...GOOD, versions: { ...GOOD.versions, 'package.json': '1.0.9', other: undefined } },
    ['package.json says 1.0.9, and the tag v1.1.0', 'other says no version, and the tag v1.1.0'],
  ],
  ['no section', changed('1.1.0', '1.0.9'), ['CHANGELOG.md has no section "## 1.1.0 - <date>"']],
  ['a section without a day', changed(' - 2026-11-22', ''), ['CHANGELOG.md does not say the day of 1.1.0']],
  ['a section without a word', changed('- New.\n', ''), ['CHANGELOG.md says nothing of 1.1.0']],
  [
    'a section that is not the newest',
    changed('## 1.1.0', '## 1.2.0 - 2026-12-01\n\n- Newer.\n\n## 1.1.0'),
    ['CHANGELOG.md has 1.2.0 before 1.1.0'],
  ],
  [
    'changes that are not in the section',
    changed('## Unreleased\n', '## Unreleased\n\n- Forgotten.\n'),
    ['CHANGELOG.md has changes under Unreleased, which this release would have'],
  ],
  [
    'two sections',
    changed('## 1.0.0', '## 1.1.0 - 2026-11-23\n\n- Twice.\n\n## 1.0.0'),
    ['CHANGELOG.md has 2 sections of 1.1.0'],
  ],
])('%s is refused', (_, facts, problems) => {
  expect(checkRelease(facts)).toEqual(problems);
});

test('only whole releases become what npm installs without a tag', () => {
  expect(['1.1.0', '1.1.0-rc.1'].map(distributionTag)).toEqual(['latest', 'next']);
});

test('the commands end with 1 and a reason where there is no such release', () => {
  const root = join(__dirname, '../../..');
  for (const file of ['check', 'notes']) {
    const args = [join(root, 'tools/publication', `${file}.ts`), 'v0.0.0-never'];
    const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/tsx'), args, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('CHANGELOG.md has no section');
  }
});
