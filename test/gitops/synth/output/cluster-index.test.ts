import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ClusterIndex,
  formatIndex,
  INDEX_FILE,
  indexOf,
  parseIndex,
  withFiles,
} from '#lib/gitops/synth/output/cluster-index';
import { LIBRARY_VERSION } from '#lib/gitops/synth/output/library-version';

const INDEX: ClusterIndex = { writer: 'cdk8s-linkerd 0.1.0', charts: ['a 1.0.0'], files: ['linkerd/x.yaml'] };

function problemOf(text: string): string {
  return parseIndex(text).damage ?? 'none';
}

test('synth reads the files of an index that it wrote', () => {
  expect(parseIndex(formatIndex(INDEX))).toEqual({ files: INDEX.files });
});

test('synth reads recorded warnings that it wrote, and skips invalid ones', () => {
  const warning = {
    code: 'certificate-alerts-missing',
    path: 'home/pki',
    what: 'a',
    why: 'b',
    fix: 'c',
    reason: '"quoted"',
  };
  expect(parseIndex(formatIndex({ ...INDEX, warnings: [] })).warnings).toEqual([]);
  expect(parseIndex(formatIndex({ ...INDEX, warnings: [warning] })).warnings).toEqual([warning]);
  const odd = JSON.stringify({ ...INDEX, warnings: [null, 'x', { ...warning, what: 1 }, warning] });
  expect(parseIndex(odd)).toEqual({ files: INDEX.files, warnings: [warning] });
  expect(parseIndex(JSON.stringify({ ...INDEX, warnings: 'x' })).warnings).toBeUndefined();
});

test('an index sorts files and charts, and lists each chart once', () => {
  const chart = { repository: '', kinds: [], foreignNamespaces: [] };
  const certManager = { ...chart, name: 'cert-manager', version: 'v1.21.1', valuesOf: 'v1.21.1' };
  const viz = { ...chart, name: 'linkerd-viz', version: '2026.8.3', valuesOf: 'edge-26.8.3' };
  expect(indexOf(['b', 'a'], [viz, certManager, viz])).toEqual({
    writer: `cdk8s-linkerd ${LIBRARY_VERSION}`,
    charts: ['cert-manager v1.21.1', 'linkerd-viz 2026.8.3 (edge-26.8.3)'],
    files: ['a', 'b'],
  });
});

test('synth adds files to an index', () => {
  expect(withFiles(INDEX, ['linkerd/x.yaml', 'linkerd/a.yaml']).files).toEqual(['linkerd/a.yaml', 'linkerd/x.yaml']);
});

test.each([
  ['', 'is not JSON'],
  ['<<<<<<< HEAD\n{}', 'is not JSON'],
  ['[]', 'it does not have the fields of an index'],
  ['null', 'it does not have the fields of an index'],
  ['{"writer":"x","charts":[],"files":"a"}', 'it does not have the fields of an index'],
  ['{"writer":"x","charts":[],"files":[1]}', 'it does not have the fields of an index'],
  ['{"writer":"x","files":[]}', 'it does not have the fields of an index'],
])('synth reports the index %j as damaged', (text, what) => expect(problemOf(text)).toContain(what));

test.each(['../x', 'a/../../x', 'a//b', 'a/', 'C:x', 'a\\b', INDEX_FILE])(
  'synth ignores a path in an index that is not a file below its folder: %j',
  (path) => {
    expect(problemOf(formatIndex({ ...INDEX, files: ['a', path] }))).toContain('which is not a file in the folder');
  },
);

test('an index has the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../../../package.json'), 'utf8'));
  expect(LIBRARY_VERSION).toBe(version);
});
