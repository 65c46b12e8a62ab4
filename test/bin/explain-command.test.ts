import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { entriesOf, textWithNames } from '#base/findings/catalogue';
import { pagesFor } from '#bin/explain-command';
import { rulesOf } from '#kubernetes/findings/rule-words';
import { CATALOGUE, CATALOGUES } from '#lib/cli/catalogues';
import { explain } from '#lib/cli/explain';
import { CONSEQUENCES } from '#lib/review/diff/consequences/catalogue';
import { runInMemory } from './fake-terminal';

test('explain prints a finding with its parameters, severity and pages', async () => {
  const { code, stdout, stderr } = await runInMemory(['explain', 'schedule-overlaps']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^schedule-overlaps \(error\)\n\n.*"<schedule>".*<longestRun>\.\nWhy: .*\.\nFix: .*\.\n\nSee: /,
  );
  expect(stdout).toContain('See: docs/pki.md, docs/reference/findings.md#schedule-overlaps\n');
});

test('explain replaces the paths of its pages with URLs if the address of the pages is set', () => {
  const [plain = '', named = ''] = [
    explain('anchor-changed'),
    explain('anchor-changed', 'https://a.example.com/tree/v1/'),
  ];
  expect(plain).toContain('See: docs/');
  expect(named.split('\n').filter((line) => !plain.split('\n').includes(line))).toEqual(
    plain.match(/^See: .*$/gm)?.map((line) => line.replaceAll('docs/', 'https://a.example.com/tree/v1/docs/')),
  );
});

const ROOT = join(__dirname, '..', '..');

test.each([
  ['the package', ROOT, ''],
  ['a project that contains the package', dirname(ROOT), `${basename(ROOT)}/`],
  ['the root folder', '/', `${ROOT.slice(1)}/`],
  ['a folder next to the package', `${ROOT}-project`, `${ROOT}/`],
  ['a folder of the package', join(ROOT, 'docs'), `${ROOT}/`],
])('explain prints paths of existing pages for a reader in %s', (_, folder, prefix) => {
  const codes = [...CATALOGUE.map(({ code }) => code), ...Object.keys(CONSEQUENCES)];
  const pages = codes.flatMap((code) => {
    const text = explain(code, pagesFor(folder)) ?? '';
    return [...text.matchAll(/^See: (.*)$/gm)].flatMap(([, list = '']) => list.split(', '));
  });
  const paths = [...new Set(pages.map((page) => page.replace(/#.*/, '')))];
  expect(paths.filter((path) => !path.startsWith(`${prefix}docs/`))).toEqual([]);
  expect(paths.filter((path) => !existsSync(resolve(folder, path)))).toEqual([]);
});

test.each([
  ['release-changed', 'release-changed (warning, can be acknowledged)'],
  ['policy-not-enforced', 'policy-not-enforced (error, can be acknowledged)'],
  ['not-migrated', 'not-migrated (note)'],
])('explain prints the severity of %s', async (code, heading) => {
  expect((await runInMemory(['explain', code])).stdout.split('\n')[0]).toBe(heading);
});

test('explain prints each cause of a code', async () => {
  const all = CATALOGUE.map((entry) => entry.code);
  const code = all.find((one, index) => all.indexOf(one) !== index) ?? '';
  const { stdout } = await runInMemory(['explain', code]);
  expect(stdout.match(/^Fix: /gm)).toHaveLength(all.filter((one) => one === code).length);
});

test('explain prints each rule of a finding with its fix', async () => {
  const { stdout } = await runInMemory(['explain', 'field-refused']);
  const entries = CATALOGUE.filter(({ code }) => code === 'field-refused');
  for (const entry of entries) {
    const why = textWithNames(entry.why);
    const rules = rulesOf(entry) ?? {};
    expect([why, Object.keys(rules).length > 1]).toEqual([why, why.includes('<rule>')]);
    for (const rule of Object.values(rules)) {
      expect(stdout).toContain(`\n  - ${textWithNames(rule.why)}: ${textWithNames(rule.fix)}.\n`);
    }
  }
  expect(stdout).toContain('\n  - maxSurge is 0, too, so no pod could be replaced: set one of them to 1 or more.\n');
  expect(stdout).not.toContain('undefined');
});

test('explain prints each fix of a finding whose fix depends on the mistake', async () => {
  const { stdout } = await runInMemory(['explain', 'field-refused']);
  expect(stdout).toMatch(
    /known field\.\nWhy: .*\nFix, one of:\n {2}- did you mean <hint>\?\n {2}- remove <field>; .*\n/,
  );
  expect(stdout).not.toContain('<remedy>');
});

test('explain prints a consequence of a diff', async () => {
  expect((await runInMemory(['explain', 'sync-fails'])).stdout).toMatch(
    /^sync-fails \(consequence of a change, error by default\)\n\n.*\nWhy: .*\nFix: .*\n\nSee: docs\/diff\.md\n$/,
  );
});

test('explain prints both the finding and the consequence of a code', async () => {
  const findings = new Set(CATALOGUE.map(({ code }) => code));
  const shared = Object.keys(CONSEQUENCES).filter((code) => findings.has(code));
  expect(shared).toEqual([
    'cluster-renamed',
    'file-unreadable',
    'index-damaged',
    'anchor-changed',
    'crd-versions-removed',
    'crd-versions-at-risk',
  ]);
  const { stdout } = await runInMemory(['explain', 'anchor-changed']);
  expect(stdout).toMatch(
    /^anchor-changed \(error\)\n[\s\S]*\nanchor-changed \(consequence of a change, breaks-traffic/,
  );
});

test('explain accepts a code in brackets', async () => {
  expect(await runInMemory(['explain', '[release-changed]'])).toEqual(
    await runInMemory(['explain', 'release-changed']),
  );
});

test('explain prints each code of the catalogue', async () => {
  for (const { code } of CATALOGUE) {
    expect((await runInMemory(['explain', code])).stdout).toContain(`docs/reference/findings.md#${code}\n`);
  }
});

test('explain without a code lists all codes by module', async () => {
  const { code, stdout, stderr } = await runInMemory(['explain']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.split('\n');
  const codes = lines.filter((line) => line.startsWith('  ')).map((line) => line.trim().split(' ')[0]);
  const ofRooms = CATALOGUES.flatMap(({ findings }) => [...new Set(entriesOf(findings).map((entry) => entry.code))]);
  expect(codes.toSorted()).toEqual([...ofRooms, ...Object.keys(CONSEQUENCES)].toSorted());
  const rooms = lines.filter((line) => /^\S/.test(line));
  expect(rooms).toEqual([...CATALOGUES.map(({ room }) => room).toSorted(), 'Consequences of a diff']);
  const under = lines.findLastIndex(
    (line, index) => /^\S/.test(line) && index < lines.findIndex((one) => one.startsWith('  schedule-overlaps ')),
  );
  expect(lines[under]).toBe('Rotation');
});

test.each([
  ['relase-changed', 'release-changed'],
  ['Schedule_Overlaps', 'schedule-overlaps'],
  ['', ''],
])('explain suggests the nearest code for the unknown code "%s"', async (given, nearest) => {
  const { code, stdout, stderr } = await runInMemory(['explain', given]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`error: no finding has the code "${given}"; did you mean "${nearest}`);
});

test('each catalogue of findings names an existing page', () => {
  const pages = CATALOGUES.flatMap(({ page }) => page ?? []);
  expect(pages.length).toBeGreaterThan(5);
  expect(pages.filter((page) => !existsSync(join(__dirname, '../..', page)))).toEqual([]);
});
