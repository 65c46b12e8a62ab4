import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { templateOutput } from '#helm/chart/output';
import { readChartAt } from '#helm/chart/read-chart-at';
import { renderTexts } from '#helm/render';
import { goTool } from '#test/support/go-tools';
import { chartFiles, type Files } from './compare-with-helm';

const HELM = goTool('helm');

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function folderOf(files: Files): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'chart-')), 'parent');
  folders.push(dirname(folder));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const SHOW = { 'templates/a.yaml': '{{ range $path, $_ := .Files }}{{ $path | quote }}: 1\n{{ end }}a: 1' };
const FILES = chartFiles({
  ...SHOW,
  'templates/.hidden.yaml': 'x: {{',
  'a.txt': '',
  'b.md': '',
  'docs/a.txt': '',
  'docs/deep/b.md': '',
  'tmp/a.txt': '',
  'crds/a.yaml': 'a: 1\n---\nb: 1\n',
  'crds/note.txt': 'x',
});

function helmOutput(folder: string): string {
  const args = ['template', 'test', folder, '--kube-version', 'v1.34.0', '--include-crds'];
  return execFileSync(HELM, args, { encoding: 'utf8', stdio: 'pipe' });
}

function ourOutput(folder: string): string {
  const options = { name: 'test', namespace: 'default', kubeVersion: 'v1.34.0' };
  return templateOutput(renderTexts(readChartAt(folder), options), { includeCrds: true });
}

test.each([
  '',
  '# nothing\n\n',
  '*.md\n',
  'docs/\n',
  '/a.txt\n',
  'docs/a.txt\n',
  'docs/*.md\ntmp/\n',
  '!*.md\n!Chart.yaml\n',
  'd*\n  tmp  \n',
  '[ab].*\n',
  'crds\n',
  '\ufeff*.md\r\na.txt\r\n',
  'b\\.md\n',
  '.helmignore\n',
])('the reader of charts skips the same files as Helm by a .helmignore of %j', (rules) => {
  const folder = folderOf({ ...FILES, '.helmignore': rules });
  let helm: string;
  try {
    helm = helmOutput(folder);
  } catch {
    expect(() => ourOutput(folder)).toThrow();
    return;
  }
  expect(ourOutput(folder)).toBe(helm);
});

test.each(['**/a\n', '[a\n'])('both Helm and the reader of charts refuse the .helmignore rule %j', (rules) => {
  const folder = folderOf({ ...FILES, '.helmignore': rules });
  expect(() => helmOutput(folder)).toThrow();
  expect(() => ourOutput(folder)).toThrow(/the rule ".*" of .helmignore/);
});

test('the reader of charts follows links inside of the chart, and refuses others', () => {
  const folder = folderOf({ ...FILES, 'real/x.txt': 'x' });
  symlinkSync('real', join(folder, 'linked'));
  symlinkSync('../real/x.txt', join(folder, 'docs', 'x.txt'));
  expect(ourOutput(folder)).toBe(helmOutput(folder));
  symlinkSync('/etc', join(folder, 'etc'));
  expect(() => ourOutput(folder)).toThrow('chart parent, etc: it is a link to a path outside of the chart');
});

test('the reader of charts stops at links in a circle', () => {
  const folder = folderOf(FILES);
  symlinkSync('..', join(folder, 'docs', 'up'));
  expect(() => ourOutput(folder)).toThrow(/link to a path outside|folders are nested/);
});

test('the reader of charts refuses a folder that is not a chart', () => {
  expect(() => readChartAt('/no/such/chart')).toThrow('chart chart: /no/such/chart cannot be read (ENOENT)');
  expect(() => readChartAt(folderOf({ 'values.yaml': 'a: 1' }))).toThrow('Chart.yaml file is missing');
});
