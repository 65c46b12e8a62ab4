import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readArchive } from '#helm/chart/chart';
import { ChartError } from '#helm/chart/chart-error';
import { chartFiles, expectHelmsOutput, expectRefusal } from './compare-with-helm';
import { packaged, tarGz, type WrittenEntry } from './tar-writer';

const CHART = { name: 'parent/Chart.yaml', content: 'apiVersion: v2\nname: parent\nversion: 1.0.0\n' };
const SHOW = { 'templates/a.yaml': '{{ range $path, $_ := .Files }}{{ $path }}: 1\n{{ end }}a: {{ .Values }}' };

describe('the reader of charts reads archives of tar', () => {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(['v7', 'ustar', 'gnu', 'pax', 'oldgnu'])('in the format %s', (format) => {
    const long = format === 'v7' ? 'short' : `${'folder-with-a-long-name/'.repeat(8)}file`;
    const files = chartFiles({ ...SHOW, 'values.yaml': 'x: 1\n', [long]: 'text', 'ünï.txt': 'text' });
    const root = join(folder, format, 'parent');
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    const archive = execFileSync('tar', [`--format=${format}`, '-czf', '-', '-C', join(folder, format), 'parent']);
    expectHelmsOutput([{ files: { 'archive.tgz': archive } }]);
  });
});

test('the reader of charts reads archives from Windows, with byte order marks, and with dependencies', () => {
  const child = packaged({ ...SHOW, 'Chart.yaml': 'apiVersion: v2\nname: child\nversion: 1.0.0\n' }, 'child');
  expectHelmsOutput([
    {
      files: {
        'archive.tgz': tarGz([
          { name: 'parent\\Chart.yaml', content: CHART.content },
          { name: 'parent\\templates\\a.yaml', content: 'a: 1' },
        ]),
      },
    },
    { files: { 'archive.tgz': packaged(chartFiles({ ...SHOW, 'values.yaml': '\ufeffx: 1\n' })) } },
    {
      files: {
        'archive.tgz': packaged(
          chartFiles({ ...SHOW, 'charts/child-1.0.0.tgz': child, 'charts/_ignored.tgz': 'x', 'charts/.hidden/a': 'x' }),
        ),
      },
    },
    { files: chartFiles({ ...SHOW, 'charts/child-1.0.0.tgz': child, 'charts/x.prov': 'y' }) },
  ]);
});

test.each<[string, readonly WrittenEntry[]]>([
  ['no folder', [{ name: 'Chart.yaml', content: CHART.content }]],
  ['a file outside of the folder', [CHART, { name: 'README', content: 'x' }]],
  ['a path that leads out', [CHART, { name: 'parent/../../etc/passwd', content: 'x' }]],
  ['an absolute path', [CHART, { name: 'parent//etc/passwd', content: 'x' }]],
  ['a drive', [CHART, { name: 'parent/c:/x', content: 'x' }]],
  ['Chart.yaml as a folder', [{ name: 'Chart.yaml/Chart.yaml', content: CHART.content }]],
  ['a wrong size', [{ ...CHART, size: 5000 }]],
  ['a damaged header', [{ ...CHART, isDamaged: true }]],
  ['an empty archive', []],
  ['a file that is too large', [CHART, { name: 'parent/big', content: Buffer.alloc(5 * 2 ** 20 + 1) }]],
  ['no Chart.yaml', [{ name: 'parent/values.yaml', content: 'a: 1' }]],
])('both Helm and the reader of charts refuse an archive: %s', (_, entries) => {
  expectRefusal([{ files: { 'archive.tgz': tarGz(entries) } }]);
});

function refusal(archive: Buffer): string {
  try {
    readArchive(archive, 'x');
  } catch (error) {
    if (error instanceof ChartError) return error.message;
    throw error;
  }
  return 'accepted';
}

test.each<[string, RegExp, readonly WrittenEntry[]]>([
  ['symbolic links', /is a link/, [CHART, { name: 'parent/link', type: '2' }]],
  ['hard links', /is a link/, [CHART, { name: 'parent/link', type: '1' }]],
  ['devices', /is a device/, [CHART, { name: 'parent/null', type: '3' }]],
  ['sparse files', /is a sparse file/, [CHART, { name: 'parent/sparse', type: 'S' }]],
  ['the same path twice', /contains "a" twice/, [CHART, { name: 'parent/a' }, { name: 'parent/./a' }]],
  ['a folder above', /absolute path, or a path outside/, [CHART, { name: '../a' }]],
  ['a broken header of PAX', /broken header/, [{ name: 'x', type: 'x', content: '99 path=parent/a\n' }, CHART]],
  ['a path of PAX that leads out', /leads out/, [{ name: 'x', type: 'x', content: '23 path=parent/../../a\n' }, CHART]],
])('the reader of charts refuses %s, which Helm skips or reads', (_, reason, entries) => {
  expect(refusal(tarGz(entries))).toMatch(reason);
});

test('the reader of charts does not unpack decompression bombs', () => {
  expect(refusal(gzipSync(Buffer.alloc(64 * 2 ** 20)))).toMatch(/unpacks to more than/);
  const many = Array.from({ length: 20_100 }, (_, index) => ({ name: `parent/${index}` }));
  expect(refusal(tarGz([CHART, ...many]))).toMatch(/more than 20000 files/);
  // Nested archives share the limits of the outermost one.
  const filled = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`, '']));
  const child = (name: string) =>
    packaged({ 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`, ...filled(9000) }, name);
  const files = {
    'Chart.yaml': CHART.content,
    'charts/a.tgz': child('a'),
    'charts/b.tgz': child('b'),
    'charts/c.tgz': child('c'),
  };
  expect(refusal(packaged(files))).toMatch(/more than 20000 files/);
});

test('the reader of charts refuses text, half an archive, and any damage with a reason', () => {
  expect(refusal(Buffer.from('a: 1'))).toMatch(/not a gzipped archive/);
  const whole = packaged(chartFiles(SHOW));
  expect(refusal(whole.subarray(0, 100))).toMatch(/damaged/);
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ change;
      refusal(damaged);
    }),
  );
});
