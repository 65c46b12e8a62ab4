import { PassThrough, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { run } from '#bin/program';
import { linesOf } from '#bin/render-command';
import { textIn } from '#bin/terminal';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { runInMemory } from './fake-terminal';

const CNI = ['render', 'linkerd2-cni'];

function objectsIn(yaml: string): readonly KubernetesObject[] {
  return parseAllDocuments(yaml, { version: '1.1' }).map((document) => document.toJS());
}

test('render prints the objects of a chart as YAML documents', async () => {
  const { code, stdout, stderr } = await runInMemory(CNI);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^---\napiVersion: /);
  const kinds = objectsIn(stdout).map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['ServiceAccount', 'ConfigMap', 'DaemonSet']));
  expect(kinds.indexOf('DaemonSet')).toBe(kinds.length - 1);
});

test('render puts objects into the namespace of -n', async () => {
  const { stdout } = await runInMemory([...CNI, '-n', 'elsewhere']);
  const namespaces = new Set(objectsIn(stdout).map(({ metadata }) => metadata.namespace));
  expect([...namespaces].sort()).toEqual(['elsewhere', undefined]);
});

test('render reads values from files, standard input and flags, of which later ones override earlier ones', async () => {
  const inputs = {
    files: { 'a.yaml': 'logLevel: debug\niptablesMode: legacy\n', 'b.yaml': 'iptablesMode: plain\n', pem: 'nft' },
    stdin: 'podLabels: {from: stdin}',
  };
  const read = ['-f', 'a.yaml,b.yaml', '--values', '-', '--set-file', 'iptablesMode=pem'];
  const typed = 'proxyUID=8,commonLabels.n=2,podLabels.big=9007199254740993';
  const given = ['--set-string', 'commonLabels.n=1', '--set-json', 'proxyUID=7', '--set', typed];
  const { code, stdout } = await runInMemory([...CNI, ...read, ...given], inputs);
  expect(code).toBe(0);
  expect(stdout).toContain('from: stdin');
  expect(stdout).toContain('"n": "1"');
  expect(stdout).toContain('big: "9007199254740993"');
  expect(stdout).toMatch(/"proxy-uid": 8\b/);
  expect(stdout).toMatch(/"iptables-mode": "nft"/);
});

test('render reads values in the encodings that Helm reads', async () => {
  const text = '\ufeffpodLabels: {a: é}\r\n';
  const swapped = Buffer.from(text, 'utf16le').swap16();
  for (const bytes of [Buffer.from(text), Buffer.from(text, 'utf16le'), swapped]) {
    const { code, stdout } = await runInMemory([...CNI, '-f', 'a.yaml'], { files: { 'a.yaml': textIn(bytes) } });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('a: é\n') });
  }
});

describe('render, for invalid input,', () => {
  test('prints all problems at once, and no objects', async () => {
    const { code, stdout, stderr } = await runInMemory([...CNI, '--set', 'logLvl=x,proxyUID=y', '-n', 'X']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^3 problems:\n {2}- The namespace is "X".*\n {2}- .*logLvl.* Fix: .*\n {2}- .*proxyUID.*\n$/,
    );
  });

  test('reports each file that is not a values file', async () => {
    const inputs = { files: { 'a.yaml': 'a: [', 'b.yaml': 'text' }, stdin: '- 1' };
    const { code, stderr } = await runInMemory([...CNI, '-f', 'a.yaml', '-f', 'b.yaml', '-f', '-'], inputs);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^3 problems:\n.*a\.yaml is not a values file[\s\S]*b\.yaml is not.*\n.*standard input is not/,
    );
  });
});

describe('cdk8s-linkerd exits with 2 on the misuse', () => {
  test.each([
    [['render'], /missing required argument 'chart'/],
    [
      ['render', 'linkerd-crds'],
      /Allowed choices are linkerd-control-plane, linkerd-viz, linkerd2-cni, linkerd-jaeger/,
    ],
    [[...CNI, '--sett', 'a=b'], /unknown option '--sett'.*\n.*--set/],
    [[...CNI, '--set', 'a'], /not in Helm's syntax: key "a" has no value/],
    [[...CNI, '-f', 'missing.yaml'], /cannot read missing\.yaml: no such file/],
    [[...CNI, '--set-file', 'a=missing.pem'], /cannot read missing\.pem: no such file/],
    [[...CNI, '-f', '-', '-f', '-'], /standard input can be read only once/],
    [[...CNI, '-f', '-', '--jsonl'], /standard input contains the requests/],
    [['rendr'], /unknown command 'rendr'.*\n.*render/],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await runInMemory(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

test.each([[['--help']], [['render', '--help']], [['migrate', '-h']]])(
  'cdk8s-linkerd with the arguments %j prints usage and exit codes',
  async (args) => {
    const { code, stdout, stderr } = await runInMemory(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: cdk8s-linkerd [\s\S]*Exit codes: 0 success/);
  },
);

describe('render --jsonl', () => {
  const JSONL = [...CNI, '--jsonl'];

  test('answers requests in order, and ignores empty lines', async () => {
    const stdin = '{"name":"a","values":{}}\n\n{"name":"b","values":{"x":1}}\n{"name":"c","values":{}}';
    const { code, stdout } = await runInMemory(JSONL, { stdin });
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => Object.keys(JSON.parse(line)).concat(JSON.parse(line).name));
    expect(answers).toEqual([
      ['name', 'objects', 'a'],
      ['name', 'error', 'b'],
      ['name', 'objects', 'c'],
    ]);
    expect(code).toBe(0);
  });

  test('answers an invalid request with an error, and exits with 1 at the end', async () => {
    const { code, stdout } = await runInMemory(JSONL, {
      stdin: '{"name":"a","values":{}}\noops\n{"name":"c","values":{}}\n',
    });
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; error?: string });
    expect(answers.map(({ name }) => name)).toEqual(['a', 'line 2', 'c']);
    expect(answers[1]?.error).toMatch(/^Line 2 is not a request/);
    expect(code).toBe(1);
  });

  test('merges the values of a request over those of the options, and uses their namespace', async () => {
    const stdin = '{"name":"a","values":{"proxyUID":8}}\n';
    const { stdout } = await runInMemory([...JSONL, '--set', 'proxyUID=7,proxyGID=9', '-n', 'elsewhere'], { stdin });
    expect(stdout).toContain('\\"proxy-uid\\": 8');
    expect(stdout).toContain('\\"proxy-gid\\": 9');
    expect(stdout).toContain('"namespace":"elsewhere"');
  });

  test('answers one request at a time, as fast as the caller reads', async () => {
    const stdin = new PassThrough();
    const pending: (() => void)[] = [];
    let written = 0;
    const stdout = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => {
        written += 1;
        pending.push(done);
      },
    });
    const code = run(JSONL, { stdin, stdout, stderr: new PassThrough(), readFile: () => '' });
    stdin.end('{"name":"a","values":{}}\n'.repeat(3));
    const rounds = 20;
    for (let round = 0; round < rounds; round += 1) await setImmediate();
    expect({ written, buffered: stdout.writableLength > 0 && pending.length }).toEqual({ written: 1, buffered: 1 });
    while (written < 3 || pending.length > 0) {
      pending.shift()?.();
      await setImmediate();
    }
    expect(await code).toBe(0);
  });
});

describe('render, for deeply nested values,', () => {
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const LEVELS = [200, 5_000, 100_000];

  test.each(LEVELS)('with %i levels answers the other lines of --jsonl', async (levels) => {
    const line = (name: string, values: string) => `{"name":"${name}","values":${values}}\n`;
    const stdin = [line('a', '{}'), line('b', `{"podLabels":${deep(levels)}}`), line('c', '{}')].join('');
    const { code, stdout, stderr } = await runInMemory([...CNI, '--jsonl'], { stdin });
    const answers = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { name: string; objects?: object[]; error?: string });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(answers.map(({ name, objects }) => [name, objects !== undefined])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
    ]);
    expect(answers[1]?.error).toMatch(/levels deep/);
  });

  test.each(
    LEVELS.flatMap((levels): [string, readonly string[], number][] => [
      ['-f', ['-f', 'deep.json'], levels],
      ['--set-json', ['--set-json', `a=${deep(levels)}`], levels],
      ['-f and --set-json', ['-f', 'deep.json', '--set-json', `a.a.a=${deep(levels)}`], levels],
    ]),
  )('set by %s prints an error without a stack trace', async (_how, options, levels) => {
    for (const command of [CNI, ['migrate', '--chart', 'linkerd2-cni']]) {
      const { code, stdout, stderr } = await runInMemory([...command, ...options], {
        files: { 'deep.json': `{"a":${deep(levels)}}` },
      });
      expect(stdout).toBe('');
      expect([1, 2]).toContain(code);
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(stderr).toMatch(/levels deep|deeper than|not a values file/);
    }
  });
});

async function lines(chunks: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const line of linesOf(asyncOf(chunks))) found.push(line);
  return found;
}

async function* asyncOf(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

test('linesOf splits text only at line feeds, wherever chunks end', async () => {
  const chunk = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u2028') });
  await fc.assert(
    fc.asyncProperty(fc.array(chunk), async (chunks) => {
      const text = chunks.join('');
      expect(await lines(chunks)).toEqual(
        text.replace(/\n$/, '') === '' && !/\n/.test(text) ? [] : text.replace(/\n$/, '').split('\n'),
      );
    }),
  );
});
