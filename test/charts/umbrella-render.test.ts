import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { goTool } from '../support/go-tools';

const outdir = mkdtempSync(join(tmpdir(), 'umbrella-'));

afterAll(() => rmSync(outdir, { recursive: true }));

/** What Helm prints for each template of a chart, whose dependencies, which nobody can load here, are left out. */
function rendered(chart: string): ReadonlyMap<string, string> {
  const file = join(chart, 'Chart.yaml');
  const { dependencies: _, ...metadata } = parse(readFileSync(file, 'utf8'));
  writeFileSync(file, stringify(metadata));
  const output = execFileSync(goTool('helm'), ['template', basename(chart), chart], { encoding: 'utf8' });
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

test("Helm prints the manifests of the worked example's umbrella charts unchanged", () => {
  const root = join(__dirname, '../..');
  const options = { cwd: root, env: { ...process.env, CDK8S_OUTDIR: outdir }, stdio: 'pipe' } as const;
  execFileSync(join(root, 'node_modules/.bin/tsx'), ['main.ts'], options);
  const charts = globSync(join(outdir, '*/*/Chart.yaml')).map((path) => dirname(path));
  expect(charts.length).toBeGreaterThan(5);
  for (const chart of charts) {
    const templates = globSync(join(chart, 'templates/*')).map((path) => [
      basename(path),
      readFileSync(path, 'utf8').replaceAll('{{`{{`}}', '{{'),
    ]);
    expect(rendered(chart)).toEqual(new Map(templates as [string, string][]));
  }
});
