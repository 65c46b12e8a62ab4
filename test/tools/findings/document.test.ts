import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entriesOf } from '#base/findings/catalogue';
import { WARNING_CODES } from '#lib/checks/warnings';
import { CATALOGUE, CATALOGUES } from '#lib/cli/catalogues';
import { findingsDocument } from '#tools/findings/document';

const ROOT = join(__dirname, '../../..');

const SOURCES: ReadonlyMap<string, string> = new Map(
  ['bin', 'packages', 'lib', 'operator/api', 'operator/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
      .map((path) => [join(folder, path), readFileSync(join(ROOT, folder, path), 'utf8')] as const),
  ),
);

const isCatalogue = (text: string) => /^export const \w+ = catalogue\(\{$/m.test(text);

/**
 * A finding outside of a catalogue: a code and a fix close to each other. Sentences may contain braces of templates.
 */
const LITERAL = /\bcode: ?['"][\s\S]{0,800}?\bfix\b|\bfix: ?['"`][\s\S]{0,800}?\bcode: ?['"]/;

/** Findings about live clusters, which cannot be acknowledged. */
const LIVE = new Set(
  CATALOGUES.filter(({ page }) => page === 'docs/status.md' || page === 'docs/doctor.md').flatMap(({ findings }) =>
    entriesOf(findings).map(({ code }) => code),
  ),
);

const codesOf = (isWarning: boolean) =>
  new Set(
    CATALOGUE.filter(({ code, severity }) => !LIVE.has(code) && (severity === 'warning') === isWarning).map(
      ({ code }) => code,
    ),
  );

test('docs/reference/findings.md is the output of npm run docs', () => {
  expect(readFileSync(join(ROOT, 'docs/reference/findings.md'), 'utf8')).toBe(findingsDocument());
});

test('each fix in docs/reference/findings.md is more than the name of a parameter', () => {
  expect(findingsDocument().match(/^ {2}(?:\*\*Fix:\*\*|-) ‹[^›]*›\.$/gm) ?? []).toEqual([]);
});

test('the sources define findings only in catalogues', () => {
  const written = [...SOURCES].filter(([, text]) => !isCatalogue(text) && LITERAL.test(text));
  expect(written.map(([path]) => path)).toEqual([]);
});

test.each([
  "return [{ code: 'too-long', what: 'It is long', why: 'b', fix: 'shorten it' }];",
  "return [{\n  code: 'too-long',\n  what,\n  why: RULE,\n  fix,\n}];",
  'return { code: "too-long", what: `${name} is long`, why: `b ${rule}`, fix: `shorten ${name}` };',
  "add({ fix: 'shorten it', what: 'It is long', code: 'too-long' });",
])('the search for findings outside a catalogue finds %j', (text) => expect(text).toMatch(LITERAL));

test('each code of a finding consists of words with hyphens between them', () => {
  const codes = CATALOGUE.map(({ code }) => code);
  expect(codes.filter((code) => !/^[a-z][a-z0-9]*(?:-[a-z0-9]+){1,4}$/.test(code))).toEqual([]);
});

test('WARNING_CODES lists exactly the codes of the catalogues’ warnings, and of the errors that can be acknowledged', () => {
  const errors = ['crd-versions-removed', 'policy-not-enforced', 'release-lines-skipped'];
  expect([...codesOf(true), ...errors].sort()).toEqual(Object.keys(WARNING_CODES).sort());
  expect([...codesOf(false)].filter((code) => Object.hasOwn(WARNING_CODES, code)).sort()).toEqual(errors);
});

test('each code has one severity, and each of its causes one entry', () => {
  const severities = new Set(CATALOGUE.map(({ code, severity }) => `${code} ${severity}`));
  expect([...severities].map((one) => one.split(' ')[0])).toEqual([...new Set(CATALOGUE.map(({ code }) => code))]);
  const entries = CATALOGUE.map(({ code, cause }) => `${code}/${cause}`);
  expect(entries).toEqual([...new Set(entries)]);
});

test('docs/reference/findings.md has every catalogue', () => {
  const codes = [...SOURCES]
    .filter(([, text]) => isCatalogue(text))
    .flatMap(([, text]) => [...text.matchAll(/^ {2}'([a-z0-9-]+)(?:\/[a-z0-9-]+)?': \{$/gm)].map(([, code]) => code));
  // The entries of chart-not-rendered are generated from the tables of chart faults.
  const written = CATALOGUE.map(({ code }) => code).filter((code) => code !== 'chart-not-rendered');
  expect(codes.toSorted()).toEqual(written.toSorted());
});
