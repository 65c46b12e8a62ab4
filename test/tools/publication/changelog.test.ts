import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChangelog, releaseNotes } from '../../../tools/publication/changelog';

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

test('sections are read with their day and their text', () => {
  const sections = readChangelog(CHANGELOG);
  expect(sections.map(({ version, date }) => [version, date])).toEqual([
    ['Unreleased', undefined],
    ['1.1.0', '2026-11-22'],
    ['1.0.0', undefined],
  ]);
  expect(sections.map(({ text }) => text.length > 0)).toEqual([false, true, false]);
  expect(sections[1]?.text).toMatch(/^### Added\n[\s\S]*- A third\.$/);
});

test('notes have each item in one line, and code as it is', () => {
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

test('the changelog of this repository can be read, and begins with what is not released or with a day', () => {
  const sections = readChangelog(readFileSync(join(__dirname, '../../../CHANGELOG.md'), 'utf8'));
  expect(sections.length).toBeGreaterThan(0);
  expect(sections.filter(({ version, date }) => version !== 'Unreleased' && date === undefined)).toEqual([]);
});
