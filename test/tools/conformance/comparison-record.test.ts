import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import library from '../../../package.json';
import { chartDigest } from '../../../tools/conformance/chart-content';
import { recordComparison } from '../../../tools/conformance/comparison-record';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const releases = { like: 'edge-26.8.3', release: 'edge-99.9.9' };
const viz = { sha256: 'x', variants: 9, different: 0 };
const cni = { sha256: 'y', variants: 3, different: 1 };

describe('a record', () => {
  const file = () => join(folder, 'record.json');
  const recorded = () => JSON.parse(readFileSync(file(), 'utf8')) as object;

  test('has a chart beside others of the release, and one that is compared again once', () => {
    recordComparison(file(), releases, { name: 'linkerd2-cni', ...viz });
    recordComparison(file(), releases, { name: 'linkerd-viz', ...viz });
    recordComparison(file(), releases, { name: 'linkerd2-cni', ...cni });
    expect(recorded()).toEqual({
      library: library.version,
      ...releases,
      charts: { 'linkerd-viz': viz, 'linkerd2-cni': cni },
    });
  });

  test.each([{ library: '0.0.0' }, { like: 'edge-26.6.3' }, { release: 'edge-99.9.8' }])(
    'begins anew where %j was something else',
    (other) => {
      const before = { library: library.version, ...releases, charts: { 'linkerd-viz': viz } };
      writeFileSync(file(), JSON.stringify({ ...before, ...other }));
      recordComparison(file(), releases, { name: 'linkerd2-cni', ...cni });
      expect(recorded()).toEqual({ ...before, charts: { 'linkerd2-cni': cni } });
    },
  );
});

describe('the digest of a chart', () => {
  function chart(files: Readonly<Record<string, string>>): string {
    const path = mkdtempSync(join(folder, 'chart-'));
    mkdirSync(join(path, 'templates'));
    for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content);
    return path;
  }

  test('is of names and contents, wherever the chart lies', () => {
    const files = { 'Chart.yaml': 'a', 'templates/b.yaml': 'b' };
    const digest = chartDigest(chart(files));
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(chartDigest(chart(files))).toBe(digest);
    expect(chartDigest(chart({ ...files, 'templates/b.yaml': 'c' }))).not.toBe(digest);
    expect(chartDigest(chart({ 'Chart.yaml': 'a', 'templates/c.yaml': 'b' }))).not.toBe(digest);
  });

  test('is that of the bytes, where it is a package', () => {
    const file = join(folder, 'chart.tgz');
    writeFileSync(file, 'abc');
    expect(chartDigest(file)).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
