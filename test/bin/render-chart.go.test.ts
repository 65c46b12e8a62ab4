import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packaged } from '../packages/helm/chart/tar-writer';
import { goTool } from '../support/go-tools';
import { runInMemory } from './fake-terminal';

const HELM = goTool('helm');

const FILES = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\nkubeVersion: ">=1.20.0-0"\n',
  'values.yaml': 'count: 1000000\nlist: [a]\nmap: {x: 1}\n',
  'values.schema.json': '{"properties": {"count": {"type": "number"}}}',
  'crds/crd.yaml': 'kind: CustomResourceDefinition\n',
  'templates/NOTES.txt': 'notes',
  'templates/a.yaml':
    'kind: ConfigMap\nvalues: {{ toJson .Values }}\ncount: {{ .Values.count }}\nrelease: {{ toJson .Release }}\n' +
    'kube: {{ .Capabilities.KubeVersion }} {{ .Capabilities.APIVersions.Has "x/v1" }} {{ .Capabilities.APIVersions.Has "y/v1" }}\n',
  'templates/test.yaml': 'kind: Pod\nmetadata: {name: t, annotations: {helm.sh/hook: test}}\n',
  'templates/hook.yaml': 'kind: Job\nmetadata: {name: h, annotations: {helm.sh/hook: pre-install}}\n',
};

const root = mkdtempSync(join(tmpdir(), 'render-'));
const [folder, archive, values, text] = [
  join(root, 'shop'),
  join(root, 'shop.tgz'),
  join(root, 'v.yaml'),
  join(root, 't.txt'),
];
beforeAll(() => {
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  writeFileSync(archive, packaged(FILES, 'shop'));
  writeFileSync(values, 'count: 5\nmap: {y: 2, x: null}\nbig: 12345678\n');
  writeFileSync(text, 'of a file\n');
});
afterAll(() => rmSync(root, { recursive: true }));

const FILES_OF_THE_TEST = () => ({
  files: { [values]: 'count: 5\nmap: {y: 2, x: null}\nbig: 12345678\n', [text]: 'of a file\n' },
});

test.each([
  [[]],
  [['--set', 'count=7,list[1]=b,map.z=3,big=12345678,float=1.5,zero=007,no=null,yes=true']],
  [['--set-string', 'count.a=7,map.x=1', '--skip-schema-validation']],
  [['--set-json', 'map={"z":[1,12345678]},list=[]']],
  [['-f', 'VALUES', '--set-file', 'text=TEXT', '--set', 'list={x,1}']],
  [['-n', 'elsewhere', '--kube-version', '1.29.3-gke.1', '-a', 'x/v1,z/v1', '--api-versions', 'y/v1']],
  [['--include-crds', '--skip-tests']],
  [['--no-hooks']],
])('render with %j prints the same as Helm, for the folder and the archive', async (given) => {
  const args = given.map((arg) => arg.replace('VALUES', values).replace('TEXT', text));
  const kube = args.includes('--kube-version') ? [] : ['--kube-version', 'v1.34.0'];
  const helm = execFileSync(HELM, ['template', 'my-release', folder, ...args, ...kube], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  for (const path of [folder, archive]) {
    const outcome = await runInMemory(['render', path, '--name', 'my-release', ...args], FILES_OF_THE_TEST());
    expect(outcome).toEqual({ code: 0, stdout: helm, stderr: '' });
  }
});

test.each([
  [
    ['--set', 'count=x'],
    1,
    /values.schema.json: values don't meet .* shop: at '\/count': got string, want number.* Fix: Correct the values/,
  ],
  [['--kube-version', '1.19'], 1, /chart shop, Chart.yaml: .*incompatible with Kubernetes v1.19/],
  [['--set', 'a'], 2, /not in Helm's syntax/],
  [['-f', 'none.yaml'], 2, /cannot read none.yaml/],
  [['--jsonl'], 2, /--jsonl does not apply to/],
  [['--release', 'edge-26.8.3'], 2, /--release does not apply to/],
])('render refuses %j', async (args, code, reason) => {
  const outcome = await runInMemory(['render', folder, ...args]);
  expect(outcome).toMatchObject({ code, stdout: '' });
  expect(outcome.stderr).toMatch(reason);
});

test('render refuses values files that are not maps, and options of other charts', async () => {
  const files = { 'list.yaml': '- a', 'broken.yaml': 'a: b: c' };
  expect(await runInMemory(['render', folder, '-f', 'list.yaml'], { files })).toMatchObject({ code: 1, stdout: '' });
  expect(await runInMemory(['render', folder, '-f', 'broken.yaml'], { files })).toMatchObject({ code: 1, stdout: '' });
  expect((await runInMemory(['render', 'linkerd-viz', '--name', 'x'])).stderr).toMatch(
    /--name does not apply to linkerd-viz/,
  );
  expect((await runInMemory(['render', root])).stderr).toMatch(/Chart.yaml file is missing/);
});
