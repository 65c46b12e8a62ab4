import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Ajv from 'ajv';
import { findingsSchema } from '#tools/schemas/findings-schema';
import { runInMemory } from './fake-terminal';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lint-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes files and checks their folder, whose path is removed from messages. */
async function lintFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  { args = ['.'], stdin = '' }: { readonly args?: readonly string[]; readonly stdin?: string } = {},
): Promise<{ readonly code: number; readonly out: readonly string[]; readonly notes: readonly string[] }> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { code, stdout, stderr } = await runInMemory(
    ['lint', ...args.map((arg) => arg.replace(/^\.(?=\/|$)/, folder))],
    { stdin },
  );
  const lines = (text: string) => text.replaceAll(`${folder}/`, '').split('\n').slice(0, -1);
  return { code, out: lines(stdout), notes: lines(stderr) };
}

const namespace = (name: string, mode = 'enabled') =>
  `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${name}, annotations: { linkerd.io/inject: ${mode} } }\n`;

const WARNED = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop, annotations: { config.linkerd.io/skip-outbound-ports: "1" } }
spec:
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: web:1 }] } }
`;

test('lint prints file and line, reason, fix and a summary', async () => {
  expect(await lintFiles({ 'a.yaml': `# a\n${namespace('a', 'enabeld')}`, 'b/b.yml': WARNED })).toEqual({
    code: 1,
    out: [
      expect.stringMatching(/^a\.yaml:4: error: Namespace a: .*"enabeld" \[control-plane-value-refused\]$/),
      expect.stringMatching(/^ {2}The proxy injector accepts only/),
      '  Fix: write enabled.',
      expect.stringMatching(/^b\/b\.yml:1: warning: Deployment shop\/web .* \[annotation-without-effect\]$/),
      expect.any(String),
      expect.stringMatching(/^ {2}Fix: /),
      expect.stringMatching(/^2 objects in 2 files: 1 error, 1 warning/),
    ],
    notes: [],
  });
});

test.each([
  ['no finding', { 'a.yaml': namespace('a') }, ['.'], 0],
  ['an error', { 'a.yaml': namespace('a', 'enabeld') }, ['.'], 1],
  ['a warning', { 'a.yaml': WARNED }, ['.'], 0],
  ['a warning, with --strict', { 'a.yaml': WARNED }, ['.', '--strict'], 1],
  ['an error of another code', { 'a.yaml': namespace('a', 'enabeld') }, ['.', '--only', 'port-refused'], 0],
  ['a skipped error', { 'a.yaml': namespace('a', 'enabeld') }, ['.', '--skip', 'control-plane-value-refused'], 0],
  ['nothing to check', { 'a.yaml': 'values: 1\n' }, ['.'], 2],
  ['values of a chart', { 'v.yaml': 'controllerReplicas: 2\n' }, ['./v.yaml'], 0],
  ['a mistake in values of a chart', { 'v.yaml': 'controllerReplicas: many\n' }, ['./v.yaml'], 1],
  ['no path', {}, [], 2],
  ['a path that does not exist', {}, ['./none.yaml'], 2],
  ['an unknown code', { 'a.yaml': namespace('a') }, ['.', '--skip', 'port-refuse'], 2],
  ['an unknown format', { 'a.yaml': namespace('a') }, ['.', '--format', 'xml'], 2],
])('lint sets the exit code for %s', async (_, files, args, code) => {
  expect((await lintFiles(files, { args })).code).toBe(code);
});

test('lint suggests a code for an unknown code', async () => {
  const { notes } = await lintFiles({}, { args: ['.', '--only', 'port-refuse'] });
  expect(notes).toEqual(['error: no rule has the code "port-refuse"; did you mean "port-refused"?']);
});

test('lint checks each values file of a chart that depends on a chart of Linkerd', async () => {
  const { out } = await lintFiles({
    'mesh/Chart.yaml':
      'apiVersion: v2\nname: mesh\nversion: 1.0.0\ndependencies: [{ name: linkerd-viz, alias: viz, version: 30.x, repository: "https://helm.linkerd.io/stable", condition: viz.enabled }]\n',
    'mesh/values.yaml': 'viz: { enabled: true, tap: {} }\n',
    'mesh/values-prod.yaml': 'a: 1\nviz:\n  dashboards: {}\n',
    'mesh/stage.values.yml': 'viz: { enabled: true, grafana: { url: x }, metricsAPI: {} }\n',
    'mesh/values-off.yaml': 'viz: { enabled: false, dashboards: {} }\n',
    'mesh/values-odd.yaml': '[',
  });
  expect(out).toEqual([
    expect.stringMatching(/^mesh\/values-prod\.yaml:3: error: .*values\.dashboards.*\[chart-value-refused\]$/),
    expect.any(String),
    expect.any(String),
    expect.stringMatching(/^0 objects in 0 files, 2 files of values: 1 error, 0 warnings/),
  ]);
});

const CONFIG = ['.', '--config', './.cdk8s-linkerd-lint.yaml'];

test('a configuration of lint excludes paths, and changes rules', async () => {
  const files = { 'a.yaml': namespace('a', 'enabeld'), 'vendor/b.yaml': namespace('b', 'enabeld') };
  const codeWith = async (config: string, args = CONFIG) =>
    (await lintFiles({ ...files, '.cdk8s-linkerd-lint.yaml': config }, { args })).code;
  expect(await codeWith('ignore: [/a.yaml]')).toBe(1);
  expect(await codeWith('ignore: [/a.yaml, vendor/]')).toBe(2);
  expect(await codeWith('rules: { control-plane-value-refused: warning }')).toBe(0);
  expect(await codeWith('rules: { control-plane-value-refused: warning }', [...CONFIG, '--strict'])).toBe(1);
  expect(await codeWith('rules: { control-plane-value-refused: off }')).toBe(0);
  expect(
    await codeWith('rules: { control-plane-value-refused: off }', [...CONFIG, '--only', 'control-plane-value-refused']),
  ).toBe(1);
});

test('a mistake in a configuration of lint is misuse, reported with its line', async () => {
  const { code, out, notes } = await lintFiles(
    { 'a.yaml': namespace('a'), '.cdk8s-linkerd-lint.yaml': '\nrules:\n  port-refuse: off\n' },
    { args: CONFIG },
  );
  expect({ code, out }).toEqual({ code: 2, out: [] });
  expect(notes).toEqual([
    expect.stringMatching(/yaml:3:3: error: .*"port-refuse".*\[lint-config-refused\]$/),
    expect.any(String),
    expect.stringMatching(/did you mean "port-refused"/),
  ]);
});

test('a baseline of lint ignores earlier findings, and lists entries without a finding', async () => {
  const baseline = ['--baseline', './known.json'];
  const before = { 'a.yaml': `${namespace('a', 'enabeld')}---\n${namespace('b', 'enabeld')}` };
  expect((await lintFiles(before, { args: ['.', ...baseline] })).code).toBe(2);
  expect((await lintFiles(before, { args: ['.', '--write-baseline'] })).code).toBe(2);
  expect((await lintFiles(before, { args: ['.', ...baseline, '--write-baseline'] })).code).toBe(0);
  expect((await lintFiles(before, { args: ['.', ...baseline] })).out).toEqual([
    '2 objects in 1 file: 0 errors, 0 warnings, 2 in the baseline',
  ]);
  const after = { 'a.yaml': `# moved\n${namespace('a', 'enabeld')}---\n${namespace('c', 'enabeld')}` };
  const { code, out } = await lintFiles(after, { args: ['.', ...baseline] });
  expect(code).toBe(1);
  expect(out.slice(-2)).toEqual([
    '2 objects in 1 file: 1 error, 0 warnings, 1 in the baseline',
    'The baseline lists findings that no longer exist: control-plane-value-refused of Namespace b',
  ]);
  expect((await lintFiles({ 'known.json': '{}' }, { args: ['.', ...baseline] })).notes).toEqual([
    expect.stringMatching(/^error: known\.json: The baseline cannot be read/),
  ]);
});

const BASELINE = '{"version":1,"findings":[]}';

test.each<[string, () => void, string, RegExp]>([
  ['a manifest', () => undefined, 'a.yaml', /a file that lint did not write/],
  ['an empty file', () => writeFileSync(join(folder, 'empty'), ''), 'empty', /a file that lint did not write/],
  ['a folder', () => mkdirSync(join(folder, 'b')), 'b', /not a regular file/],
  ['a link to a baseline', () => symlinkSync('sub/known.json', join(folder, 'link')), 'link', /it is a link/],
  ['a link to nothing', () => symlinkSync('sub/none.json', join(folder, 'link')), 'link', /it is a link/],
])('lint writes no baseline over %s, named by an option or by the settings', async (_, prepare, file, reason) => {
  const files = { 'a.yaml': namespace('a', 'enabeld'), 'sub/known.json': BASELINE, '.git/HEAD': '' };
  await lintFiles(files);
  prepare();
  const config = { 'lint.yaml': `baseline: ${file}\n` };
  for (const args of [
    ['.', '--write-baseline', '--baseline', `./${file}`],
    ['.', '--write-baseline', '--config', './lint.yaml'],
  ]) {
    expect(await lintFiles({ ...files, ...config }, { args })).toEqual({
      code: 2,
      out: [],
      notes: [expect.stringMatching(reason)],
    });
  }
  expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe(files['a.yaml']);
  expect(readFileSync(join(folder, 'sub/known.json'), 'utf8')).toBe(BASELINE);
});

test.each([
  ['../outside.json', /may only name a file in/],
  ['sub/../../outside.json', /may only name a file in/],
  ['out/outside.json', /may only name a file in/],
  ['.git/known.json', /among the files of Git/],
])('lint uses no baseline at the configured path %s', async (baseline, reason) => {
  const other = mkdtempSync(join(tmpdir(), 'other-'));
  const inside = join(folder, 'repository');
  try {
    mkdirSync(inside);
    symlinkSync(other, join(inside, 'out'));
    const files = {
      'repository/.git/HEAD': '',
      'repository/a.yaml': namespace('a', 'enabeld'),
      'repository/lint.yaml': `baseline: ${baseline}\n`,
    };
    for (const more of [['--write-baseline'], []]) {
      const args = ['./repository', '--config', './repository/lint.yaml', ...more];
      const refused = { code: 2, out: [], notes: [expect.stringMatching(reason)] };
      expect(await lintFiles(files, { args })).toEqual(refused);
    }
    expect(existsSync(join(folder, 'outside.json'))).toBe(false);
    expect(readdirSync(other)).toEqual([]);
  } finally {
    rmSync(other, { recursive: true });
  }
});

test('lint does not quote a file that is not a baseline', async () => {
  const { notes } = await lintFiles({ 'a.yaml': WARNED, b: 'hunter2' }, { args: ['.', '--baseline', './b'] });
  expect(notes.join()).toMatch(/not valid JSON/);
  expect(notes.join()).not.toContain('hunter');
});

test('lint --list-rules lists the rules without paths', async () => {
  const { code, out } = await lintFiles({}, { args: ['--list-rules'] });
  expect(code).toBe(0);
  expect(out).toContainEqual(expect.stringMatching(/^reference-missing +error +/));
});

test('lint names the template of an object in the output of helm template', async () => {
  const printed = `---\n# Source: shop/templates/a.yaml\n${namespace('a', 'enabeld')}---\n${namespace('b', 'enabeld')}`;
  const { out } = await lintFiles({}, { args: ['-'], stdin: printed });
  expect(out.filter((line) => line.includes(' error: ')).map((line) => line.replace(/ error: .*/, ''))).toEqual([
    'shop/templates/a.yaml:',
    'standard input:9:',
  ]);
});

test('lint reads no hidden folders, node_modules or links, and lists links that lead outside', async () => {
  symlinkSync('/etc', join(folder, 'etc'));
  symlinkSync('.', join(folder, 'loop'));
  symlinkSync('none', join(folder, 'broken.yaml'));
  const { out, notes } = await lintFiles({
    'a.yaml': namespace('a'),
    '.git/b.yaml': namespace('b', 'enabeld'),
    'node_modules/c/c.yaml': namespace('c', 'enabeld'),
    'd.txt': namespace('d', 'enabeld'),
  });
  expect(out).toEqual(['1 object in 1 file: 0 errors, 0 warnings, 2 files not read']);
  expect(notes).toEqual([
    expect.stringMatching(/^not read: broken\.yaml: .*ENOENT/),
    expect.stringMatching(/^not read: etc: a link/),
  ]);
});

test('lint lists files that are not text, and programs that create objects', async () => {
  const { notes, code } = await lintFiles({
    'a.yaml': new Uint8Array([0xff, 0xff, 0x00]),
    'b.yaml': 'apiVersion: v1\nkind: Pod\n{{ if .Values.on }}\n{{ end }}\n',
    'c.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: "{{ .Values.a }}" }\n',
    'd.yaml': `\ufeff${namespace('d').replaceAll('\n', '\r\n')}`,
    'e.yaml': Buffer.from(`\ufeff${namespace('e')}`, 'utf16le'),
    'f.yaml': Buffer.from(namespace('f'), 'utf16le'),
  });
  expect(code).toBe(0);
  expect(notes).toEqual([
    expect.stringMatching(/^not read: a\.yaml, f\.yaml: it is not text/),
    expect.stringMatching(/^not read: b\.yaml:3, c\.yaml:1: a template.*helm template/),
  ]);
});

test('lint lists unread files in JSON that matches its schema', async () => {
  const files = {
    'a.yaml': namespace('a'),
    'b.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: "{{ x }}" }\n',
    'k/kustomization.yaml': 'resources: [s.yaml, ../none]\npatches: [{ path: x.yaml, target: { name: s } }]\n',
    'k/s.yaml': namespace('s'),
    'v.yaml':
      'apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: { name: v, namespace: ns }\nspec: { chart: linkerd-viz, version: 2099.1.1, valuesContent: "a: 1" }\n',
  };
  const { code, out } = await lintFiles(files, { args: ['.', '--format', 'json'] });
  const data = JSON.parse(out.join('\n'));
  const isOfSchema = new Ajv({ strict: false }).compile(findingsSchema());
  expect([code, isOfSchema(data), isOfSchema.errors]).toEqual([0, true, null]);
  const byCause = Object.fromEntries(data.unread.map((one: { readonly cause: string }) => [one.cause, one]));
  expect(byCause).toEqual({
    template: { ...WORDED, file: 'b.yaml', line: 1, cause: 'template' },
    elsewhere: { ...WORDED, file: 'k/kustomization.yaml', cause: 'elsewhere', reason: '../none', hides: ['k/s.yaml'] },
    patches: { ...WORDED, file: 'k/kustomization.yaml', cause: 'patches', hides: ['k/s.yaml'] },
    version: {
      ...{ ...WORDED, file: 'v.yaml', line: 1, what: 'not checked', cause: 'version' },
      reason: expect.stringContaining('2099.1.1'),
    },
  });
});

const WORDED = { what: 'not read', why: expect.stringMatching(/./), fix: expect.stringMatching(/./) };

test('lint prints the first findings of a code, and counts the others', async () => {
  const many = Array.from({ length: 130 }, (_, index) => namespace(`n${index}`, 'enabeld')).join('---\n');
  const { out } = await lintFiles({ 'a.yaml': many, 'b.yaml': namespace('b', 'enable') });
  expect(out.filter((line) => line.includes(': error: '))).toHaveLength(100);
  expect(out.at(-2)).toBe(
    'control-plane-value-refused: 31 more findings. To see all: --only control-plane-value-refused --format json',
  );
  expect(out.at(-1)).toBe('131 objects in 2 files: 131 errors, 0 warnings');
  const { out: json } = await lintFiles({}, { args: ['.', '--format', 'json'] });
  expect(JSON.parse(json.join('\n')).findings).toHaveLength(131);
});

test.each(['json', 'sarif', 'github', 'junit'])(
  'lint formats findings as %s, and prints the summary to standard error',
  async (format) => {
    const { out, notes } = await lintFiles(
      { 'a.yaml': namespace('a', 'enabeld') },
      { args: ['.', '--format', format] },
    );
    expect(out.join('\n')).toContain('control-plane-value-refused');
    expect(out.join('\n')).toContain('a.yaml');
    expect(notes).toEqual(['1 object in 1 file: 1 error, 0 warnings']);
  },
);

test('lint, in a folder of a repository, reads the configuration at its root, and prints paths from the root in CI', async () => {
  const before = process.cwd();
  try {
    await lintFiles({
      '.git/HEAD': '',
      'sub/a.yaml': namespace('a', 'enabeld'),
      'sub/b/b.yaml': namespace('b', 'enabeld'),
    });
    process.chdir(join(folder, 'sub'));
    const places = async (format: string) =>
      (await runInMemory(['lint', '.', '--format', format])).stdout.match(/(?:sub\/)?[ab]\/?[ab]?\.yaml/g);
    expect(await places('text')).toEqual(['a.yaml', 'b/b.yaml']);
    expect(await places('github')).toEqual(['sub/a.yaml', 'sub/b/b.yaml']);
    expect(await places('sarif')).toEqual(['sub/a.yaml', 'sub/b/b.yaml']);
    writeFileSync(join(folder, '.cdk8s-linkerd-lint.yaml'), 'ignore: [sub/b/]\nbaseline: known.json\n');
    writeFileSync(join(folder, 'known.json'), '{"version":1,"findings":[]}');
    expect(await places('text')).toEqual(['a.yaml']);
    writeFileSync('.cdk8s-linkerd-lint.yaml', 'ignore: [/a.yaml]\n');
    expect(await places('text')).toEqual(['b/b.yaml']);
  } finally {
    process.chdir(before);
  }
});

const CHART_YAML = 'apiVersion: v2\nname: own\nversion: 1.0.0\n';
const KEY = `-----BEGIN EC PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END EC PRIVATE KEY-----\n`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----\n${'A'.repeat(64)}\n-----END CERTIFICATE-----\n`;
const indented = (text: string) => text.replace(/^/gm, '  ');

test.each<[string, Readonly<Record<string, string>>, string]>([
  [
    'values of a chart',
    { 'c/Chart.yaml': CHART_YAML, 'c/values.yaml': `a:\n  b: |\n${indented(indented(KEY))}` },
    'c/values.yaml:3',
  ],
  [
    'values of a chart that is not rendered',
    { 'c/Chart.yaml': 'a', 'c/values.yaml': `b: |\n${indented(KEY)}` },
    'c/values.yaml:2',
  ],
  ['a file of a chart', { 'c/Chart.yaml': CHART_YAML, 'c/files/tls.key': KEY }, 'c/files/tls.key:1'],
  ['values without a chart', { 'values.yaml': `b: |\n${indented(KEY)}` }, 'values.yaml:2'],
  ['a PEM file', { 'ca.pem': CERTIFICATE + KEY }, 'ca.pem:4'],
  ['a key file', { 'b/TLS.KEY': KEY }, 'b/TLS.KEY:1'],
  ['text that is not YAML', { 'key.yaml': KEY }, 'key.yaml:1'],
  ['a document next to objects', { 'a.yaml': `${namespace('a')}---\nb: |\n${indented(KEY)}` }, 'a.yaml:6'],
  [
    'a template',
    { 'a.yaml': `kind: A\napiVersion: v1\nmetadata: { name: {{ .a }} }\nb: |\n${indented(KEY)}` },
    'a.yaml:5',
  ],
  ['a Kustomization', { 'kustomization.yaml': `kind: Kustomization\nb: |\n${indented(KEY)}` }, 'kustomization.yaml:3'],
])('lint reports a private key in %s', async (_, files, place) => {
  const { code, out } = await lintFiles(files);
  expect(code).toBe(1);
  expect(out.filter((line) => line.includes('[private-key-found]'))).toEqual([
    expect.stringMatching(new RegExp(`^${place}: error: ${place.replace(/:.*/, '')} has a private key`)),
  ]);
});

test('lint ignores certificates, and binary files with the name of a key', async () => {
  const files = { 'a.yaml': namespace('a'), 'ca.pem': CERTIFICATE, 'talk.key': new Uint8Array([80, 75, 0, 255]) };
  expect(await lintFiles(files)).toMatchObject({
    code: 0,
    out: [expect.stringMatching(/^1 object in 1 file: 0/)],
    notes: [],
  });
});

test.each([
  ['b.yaml', 25_000_001],
  ['b.key', 1_000_001],
])('lint --strict fails if a limit caused an omission: %s', async (name, size) => {
  const files = { 'a.yaml': namespace('a'), [name]: ' '.repeat(size) };
  const { code, notes } = await lintFiles(files);
  expect({ code, notes }).toEqual({ code: 0, notes: [expect.stringContaining(`not read: ${name}`)] });
  expect((await lintFiles(files, { args: ['.', '--strict'] })).code).toBe(1);
});

test('lint --format sarif has acknowledged findings as suppressed results', async () => {
  const accepted = namespace('a', 'enabeld').replace(
    '{ linkerd',
    '{ accept.cdk8s-linkerd/control-plane-value-refused: why, linkerd',
  );
  const files = { 'a.yaml': accepted, 'b.yaml': WARNED };
  const { code, out } = await lintFiles(files, { args: ['.', '--format', 'sarif'] });
  expect(code).toBe(0);
  expect(JSON.parse(out.join('\n')).runs[0]).toMatchObject({
    tool: { driver: { rules: [{ id: 'annotation-without-effect' }, { id: 'control-plane-value-refused' }] } },
    results: [
      { ruleId: 'annotation-without-effect', ruleIndex: 0 },
      { ruleId: 'control-plane-value-refused', ruleIndex: 1, suppressions: [{ kind: 'inSource' }] },
    ],
  });
});
