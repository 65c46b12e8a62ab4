import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WARNING_CODES } from '../../../lib/linkerd/warnings';
import { CATALOGUED, findingsDocument } from '../../../tools/findings/document';
import { findingsIn } from '../../../tools/findings/findings';
import { isObject, placesIn } from '../../../tools/findings/scope';
import { readSources } from '../../../tools/findings/sources';
import { memberOf } from '../../../tools/findings/texts';

const sources = readSources();
const { findings: read, withoutCode } = findingsIn(sources);
const findings = [...CATALOGUED, ...read];
const codesOf = (isWarning: boolean) =>
  new Set(findings.filter((finding) => finding.isWarning === isWarning).map(({ code }) => code));

test('docs/findings.md is what `npm run findings:docs` makes', () => {
  expect(readFileSync(join(__dirname, '../../../docs/findings.md'), 'utf8')).toBe(findingsDocument(findings));
});

test('each finding of the sources has a code that stands in them', () => {
  expect(withoutCode).toEqual([]);
});

test('no code of the sources is missing in the document', () => {
  const literals = [...sources.values()]
    .filter(({ path }) => !path.endsWith('/findings.ts'))
    .flatMap((source) => placesIn(source, isObject))
    .filter((place) => memberOf(place, 'fix') !== undefined)
    .flatMap((place) => {
      const code = memberOf(place, 'code')?.node;
      return code?.type === 'StringLiteral' ? [code.value] : [];
    });
  const known = new Set(findings.map(({ code }) => code));
  expect(literals.filter((code) => !known.has(code))).toEqual([]);
});

test('codes are words with hyphens between them', () => {
  const codes = findings.map(({ code }) => code);
  expect(codes.filter((code) => !/^[a-z][a-z0-9]*(?:-[a-z0-9]+){1,4}$/.test(code))).toEqual([]);
});

test('the warnings of the sources are those that can be acknowledged, and no error has a code of theirs', () => {
  expect([...codesOf(true)].sort()).toEqual(Object.keys(WARNING_CODES).sort());
  expect([...codesOf(false)].filter((code) => Object.hasOwn(WARNING_CODES, code))).toEqual([]);
});

test('a code is of one catalogue and severity, and the rules that are not catalogued do not use it', () => {
  const codes = CATALOGUED.map(({ code }) => code);
  const kept = CATALOGUED.filter(({ code, isWarning }, index) => {
    const before = CATALOGUED[index - 1];
    return before?.code !== code || before.isWarning !== isWarning;
  });
  expect(kept.map(({ code }) => code)).toEqual([...new Set(codes)]);
  expect(read.map(({ code }) => code).filter((code) => codes.includes(code))).toEqual([]);
});

test('every catalogue is in the document', () => {
  const catalogues = [...sources.values()].filter(({ path }) => path.endsWith('/findings.ts'));
  const codes = catalogues.flatMap(({ text }) =>
    [...text.matchAll(/^ {2}'([a-z0-9-]+)(?:\/[a-z0-9-]+)?': \{$/gm)].map(([, code]) => code),
  );
  expect(codes.toSorted()).toEqual(CATALOGUED.map(({ code }) => code).toSorted());
});
