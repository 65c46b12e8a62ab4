import { join } from 'node:path';
import { INDEX_FILE } from '#lib/gitops/synth/output/cluster-index';
import { temporaryDirectory, writeFiles } from '../gitops/synth/output/tree-on-disk';
import { SECRET_FORMS } from '../packages/base/secrets/secret-corpus';
import { runInMemory } from './fake-terminal';

const directory = temporaryDirectory();
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** An output with an object for each form of a secret, each with another secret. */
function write(folder: string, secretOf: (index: number) => string): void {
  const files = Object.fromEntries(
    SECRET_FORMS.map(([, kind, fields], index) => {
      const { metadata = {}, ...others } = fields(secretOf(index)) as { readonly metadata?: object };
      const named = { ...metadata, name: `a${index}`, namespace: 'b' };
      return [`b/a${index}.yaml`, JSON.stringify({ apiVersion: 'v1', kind, metadata: named, ...others })];
    }),
  );
  const index = JSON.stringify({ writer: 'x', charts: [], files: Object.keys(files) });
  const values = { 'b/values.yaml': JSON.stringify({ a: { db: { password: secretOf(0) } } }) };
  for (const [path, text] of Object.entries({ ...files, ...values, [INDEX_FILE]: index })) {
    writeFiles(join(directory.path, folder), { [`home/${path}`]: text });
  }
}

test('no command prints a secret in any format, and diff reports each changed secret', async () => {
  const one = (index: number) => `hunter2oNe${String(index).padStart(4, '0')}aBcDeF`;
  const other = (index: number) => `hunter2tWo${String(index).padStart(4, '0')}aBcDeF`;
  write('before', one);
  write('after', other);
  const [before, after] = [join(directory.path, 'before'), join(directory.path, 'after')];
  const commands = [
    ...['text', 'markdown', 'json', 'html'].map((format) => ['diff', before, '--to', after, '--format', format]),
    ['upgrade', 'plan', '--from', before, '--to', after],
    ['upgrade', 'plan', '--from', before, '--to', after, '--json'],
    ['report', '--from', after, '--out', '-'],
    ['images', '--from', after],
    ['images', '--from', after, '--json'],
  ];
  const secrets = SECRET_FORMS.flatMap((_, index) => [one(index), other(index)]);
  const parts = secrets.flatMap((secret) => [secret, base64(secret).slice(0, 20), base64(`u:${secret}`).slice(4, 24)]);
  for (const args of commands) {
    const { stdout, stderr } = await runInMemory(args);
    expect(stdout.length).toBeGreaterThan(args.includes('images') ? 5 : 500);
    expect(parts.filter((part) => `${stdout}${stderr}`.includes(part))).toEqual([]);
  }
  const { stdout } = await runInMemory(['diff', before, '--to', after, '--format', 'json']);
  const changes = JSON.parse(stdout).groups.flatMap(({ changes }: { changes: readonly object[] }) => changes);
  expect(changes.filter(({ change }: { change: string }) => change !== 'changed')).toEqual([]);
  expect(changes).toHaveLength(SECRET_FORMS.length + 1);
});

test('no command causes a process warning that quotes a file of an output', async () => {
  const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: b }\n';
  const texts = {
    'b/a0.yaml': `${configMap}data: { ? { password: hunter2 } : x }\n`,
    'b/a1.yaml': `%password hunter2\n---\n${configMap}`,
    'b/a2.yaml': `${configMap}data: { password: !hunter2 x }\n`,
    'b/a3.yaml': `${configMap}data:\n  text: |\n    kind: Secret\n    data: { ? { password: hunter2 } : x }\n`,
  };
  const index = JSON.stringify({ writer: 'x', charts: [], files: Object.keys(texts) });
  for (const [path, text] of Object.entries({ ...texts, [INDEX_FILE]: index })) {
    writeFiles(join(directory.path, 'odd'), { [`home/${path}`]: text });
  }
  write('plain', () => 'x');
  const [odd, plain] = ['odd', 'plain'].map((name) => join(directory.path, name)) as [string, string];
  const warnings = jest.spyOn(process, 'emitWarning').mockReturnValue();
  const commands = [
    ['diff', plain, '--to', odd],
    ['upgrade', 'plan', '--from', plain, '--to', odd],
    ['report', '--from', odd, '--out', '-'],
    ['images', '--from', odd],
  ];
  for (const args of commands) expect((await runInMemory(args)).stdout).not.toContain('hunter2');
  expect(warnings.mock.calls).toEqual([]);
  warnings.mockRestore();
});

test('no command prints a workflow command of a CI system from an output, in any format', async () => {
  const text = '\r\n::add-mask::x ##[add-mask]y';
  const object = (kind: string, name: string, fields: object) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind,
      metadata: { name, namespace: name, labels: { [text]: text } },
      ...fields,
    });
  const texts = {
    'b/Chart.yaml': JSON.stringify({ dependencies: [{ name: text, version: text, repository: `https://${text}` }] }),
    'b/templates/a.yaml': object('Pod', text, { spec: { containers: [{ name: text, image: text }] } }),
    [`b/templates/${text}.yaml`]: '[',
    'c/certificate.yaml': object('Certificate', text, { spec: { commonName: text, secretName: text } }),
  };
  const index = JSON.stringify({ writer: 'x', charts: [], files: Object.keys(texts) });
  for (const [path, file] of Object.entries({ ...texts, [INDEX_FILE]: index })) {
    writeFiles(join(directory.path, 'loud'), { [`home/${path}`]: file });
  }
  write('quiet', () => 'x');
  const [loud, quiet] = ['loud', 'quiet'].map((name) => join(directory.path, name)) as [string, string];
  const stray = JSON.stringify({ writer: 'x', charts: [], files: [`../\u001b[2J${text}`] });
  writeFiles(join(directory.path, 'stray'), { [`home/${INDEX_FILE}`]: stray });
  const commands = [
    ['status', '--from', join(directory.path, 'stray'), '--only', text],
    ['status', '--from', quiet, '--only', text],
    ...['text', 'markdown', 'json', 'html'].map((format) => ['diff', quiet, '--to', loud, '--format', format]),
    ['upgrade', 'plan', '--from', quiet, '--to', loud],
    ['upgrade', 'plan', '--from', quiet, '--to', loud, '--json'],
    ['report', '--from', loud, '--out', '-'],
    ['images', '--from', loud],
    ['images', '--from', loud, '--charts'],
    ['images', '--from', loud, '--json'],
  ];
  for (const args of commands) {
    const { stdout, stderr } = await runInMemory(args);
    expect(`${stdout}${stderr}`).toContain('add-mask');
    expect(`${stdout}\n${stderr}`).not.toMatch(/^\s*::|##\[/m);
    expect(`${stdout}${stderr}`).not.toContain('\u001b');
  }
});
