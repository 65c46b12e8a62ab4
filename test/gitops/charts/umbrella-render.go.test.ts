import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { LinkerdMesh, type LinkerdVersion } from '#lib';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { goTool } from '../../support/go-tools';

const HELM = goTool('helm');

const outdir = mkdtempSync(join(tmpdir(), 'umbrella-'));

afterAll(() => rmSync(outdir, { recursive: true }));

/** Returns the output of Helm for each template of a chart, without its dependencies. */
function rendered(chart: string): ReadonlyMap<string, string> {
  const file = join(chart, 'Chart.yaml');
  const { dependencies: _, ...metadata } = parse(readFileSync(file, 'utf8'));
  writeFileSync(file, stringify(metadata));
  const output = execFileSync(HELM, ['template', basename(chart), chart], { encoding: 'utf8' });
  return new Map(
    output
      .split(/^---\n# Source: /m)
      .slice(1)
      .map((document) => {
        const [, source = '', text = ''] = /^([^\n]*)\n(.*)$/s.exec(document) ?? [];
        return [source.replace(/^[^/]*\/templates\//, ''), text];
      }),
  );
}

/** Writes the files of a mesh with delivery helm. */
function writeMesh(version: LinkerdVersion): void {
  const tempo = { service: 'tempo', namespace: 'tracing', serviceAccount: 'tempo' };
  const { files } = buildCluster({
    name: 'home',
    props: {},
    build: (cluster) => {
      new LinkerdMesh(cluster, 'mesh', { version, delivery: 'helm', cni: {}, tempo, rotation: {} });
    },
  });
  for (const [path, text] of files) {
    const file = join(outdir, version, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

test('Helm prints the manifests of umbrella charts unchanged', () => {
  writeMesh('edge-26.8.3');
  writeMesh('stable-2.14.10');
  const charts = globSync(join(outdir, '*/*/Chart.yaml')).map((path) => dirname(path));
  expect(charts).toHaveLength(11);
  for (const chart of charts) {
    const templates = globSync(join(chart, 'templates/*')).map((path) => [
      basename(path),
      readFileSync(path, 'utf8').replaceAll('{{`{{`}}', '{{'),
    ]);
    expect(rendered(chart)).toEqual(new Map(templates as [string, string][]));
  }
});
