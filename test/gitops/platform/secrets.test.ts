import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject, App, Chart, Testing } from 'cdk8s';
import type { Values } from '#base/values';
import { AppProject } from '#lib/gitops/argocd/app-project';
import { Platform, type PlatformProps } from '#lib/gitops/platform/platform';
import { SynthError } from '#lib/gitops/platform/report';
import { checkWrittenText } from '#lib/gitops/synth/output/written-text';
import { addRule } from '#lib/gitops/tree/add-rule';
import type { Cluster, ClusterProps } from '#lib/gitops/tree/cluster';
import { runInMemory } from '../../bin/fake-terminal';
import { component, configMap, pinnedChart, release } from '../../support/cluster-fixture';
import { temporaryDirectory } from '../synth/output/tree-on-disk';

const directory = temporaryDirectory();
const outdir = () => join(directory.path, 'dist');

const { privateKey: PEM } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const BODY = PEM.split('\n')[1] ?? '';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const SECRET = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { 'tls.key': base64(PEM) } };

interface Attempt {
  readonly props?: Partial<PlatformProps>;
  readonly cluster?: ClusterProps;
  readonly build?: (cluster: Cluster) => void;
}

/** Returns the message of a refused synthesis; undefined if synth writes the output. */
function refusal({ props, cluster = {}, build = () => {} }: Attempt): string | undefined {
  const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: outdir(), ...props });
  platform.addCluster('home', cluster, (home) => {
    configMap(component(home, 'shop'), 'settings', 'shop');
    build(home);
  });
  try {
    platform.synth();
    return undefined;
  } catch (error) {
    if (error instanceof SynthError) return `${error.message}\n${JSON.stringify(error.findings)}`;
    throw error;
  }
}

const released = (values: object) => ({
  build: (home: Cluster) => release(component(home, 'tools'), 'tool', 'tools', { values: values as Values }),
});
const byHand = (object: object) => ({
  build: (home: Cluster) => {
    new ApiObject(component(home, 'tools'), 'object', {
      apiVersion: 'example.com/v1',
      kind: 'Tool',
      metadata: { name: 'tool', namespace: 'tools' },
      ...object,
    });
  },
});

function expectRefused(text: string | undefined, ...says: readonly string[]): void {
  for (const part of says) expect(text).toContain(part);
  expect(text).not.toMatch(/hunter2|ghp_/);
  for (const secret of [BODY, base64(PEM)]) expect(text).not.toContain(secret.slice(10, 40));
  expect(existsSync(join(outdir(), 'home'))).toBe(false);
}

test.each<readonly [string, Attempt, string]>([
  ['base64 in values', released({ key: base64(PEM) }), 'values.key holds a private key'],
  ['an object in values', released({ extraObjects: [SECRET] }), 'values.extraObjects[0].data["tls.key"] holds'],
  [
    'a manifest in values',
    released({ extraObjects: [`kind: Secret\ndata: {tls.key: ${base64('der')}abcd}`] }),
    'values.extraObjects[0]',
  ],
  ['a URL in values', released({ url: 'https://me:hunter2@a.example.com' }), 'values.url holds a password'],
  [
    'a SecretList',
    byHand({ kind: 'SecretList', apiVersion: 'v1', items: [SECRET] }),
    'data["tls.key"] has a private key',
  ],
  ['a URL in an object', byHand({ spec: { db: 'postgres://me:hunter2@db' } }), 'spec.db has a password or a token'],
  ['repoUrl', { props: { repoUrl: 'https://ghp_0123456789abcdef@github.com/a/b' } }, 'repoUrl contains a token'],
  [
    'repoUrl with a token and a password',
    { props: { repoUrl: 'https://ghp_0123456789abcdef:x-oauth-basic@github.com/a/b' } },
    'repoUrl contains a password',
  ],
  ['repoUrl without a scheme', { props: { repoUrl: 'me:hunter2@git.example.com/a' } }, 'repoUrl contains a password'],
  [
    'destination.server',
    { cluster: { destination: { server: 'https://me:hunter2@10.0.0.1:6443' } } },
    'The destination.server of cluster home contains a password',
  ],
  [
    'repository of a chart',
    {
      build: (home) =>
        release(component(home, 'tools'), 'tool', 'tools', {
          chart: { ...pinnedChart('tool'), repository: 'https://me:hunter2@charts.example.com' },
        }),
    },
    'The repository of chart tool contains a password',
  ],
])('synth does not write a secret to Git: %s', (_where, attempt, says) => {
  expectRefused(refusal(attempt), says);
});

test.each<readonly [string, Attempt]>([
  [
    'an exception',
    {
      build: () => {
        throw new Error(`cannot read ${PEM} from https://me:hunter2@a.example.com`);
      },
    },
  ],
  [
    'a thrown string',
    {
      build: () => {
        throw `cannot read ${base64(PEM)}, hunter2`.replace('hunter2', 'https://me:hunter2@a.example.com');
      },
    },
  ],
  ['a validation', { build: (home) => home.node.addValidation({ validate: () => [`bad: ${JSON.stringify(PEM)}`] }) }],
  [
    'a rule of the library',
    {
      build: (home) =>
        addRule(home, () => [
          {
            severity: 'error',
            code: 'it-is-wrong',
            what: `it is "${PEM.slice(0, 60)}...`,
            why: PEM,
            fix: `not ${PEM}`,
          },
        ]),
    },
  ],
])('synth does not print a secret: %s', (_where, attempt) => {
  expectRefused(refusal(attempt), '<private key>');
});

describe('platform.run() prints no secret of', () => {
  /** Returns the output and the error output. */
  function printed(build: (home: Cluster) => void): string {
    const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: outdir() });
    platform.addCluster('home', {}, (home) => {
      configMap(component(home, 'shop'), 'settings', 'shop');
      build(home);
    });
    const spies = (['stdout', 'stderr'] as const).map((name) =>
      jest.spyOn(process[name], 'write').mockImplementation(() => true),
    );
    try {
      platform.run([]);
      return spies.flatMap(({ mock }) => mock.calls.map(([text]) => String(text))).join('');
    } finally {
      for (const spy of spies) spy.mockRestore();
      process.exitCode = 0;
    }
  }

  test('warnings', () => {
    const warning = {
      severity: 'warning',
      code: 'certificate-alerts-missing',
      what: `it is ${PEM}`,
      why: 'https://me:hunter2@a',
      fix: PEM,
    } as const;
    const text = printed((home) => addRule(home, () => [warning]));
    expect(text).toContain('<private key>');
    expect(text).not.toContain(BODY);
    expect(text).not.toContain('hunter2');
  });

  test('an unexpected exception', () => {
    const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git', outdir: outdir() });
    const output = () => {
      throw new RangeError(`of ${PEM}`);
    };
    Object.assign(platform, { output });
    let thrown: unknown;
    try {
      platform.run([]);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ name: 'RangeError', message: 'of <private key>\n' });
    expect((thrown as Error).stack).not.toContain(BODY);
  });
});

test('synth searches each text for secrets before it writes it', () => {
  const secrets = (text: string) =>
    checkWrittenText('home/a.yaml', text).map(({ problem: { parameters } }) => parameters?.secret);
  expect(secrets(`a: |\n  ${PEM.replaceAll('\n', '\n  ')}`)).toEqual(['a private key']);
  expect(secrets(`a: ${base64(`ab${PEM}`)}\n`)).toEqual(['a private key']);
  expect(secrets('a: https://me:hunter2@b\n')).toEqual(['a password or a token']);
  expect(secrets('apiVersion: apiextensions.k8s.io/v1\nd: https://me:pass@b\n')).toEqual([]);
  expect(secrets(`a: ${base64('-----BEGIN CERTIFICATE-----')}\nurl: https://git.example.com/a@b\n`)).toEqual([]);
});

describe('the validation of a plain App', () => {
  const validate = (build: (chart: Chart) => void) => {
    const app = new App({ outdir: outdir() });
    build(new Chart(app, 'chart'));
    return app.node.validate().join('\n');
  };

  test.each<readonly [string, (chart: Chart) => unknown, string]>([
    [
      'values',
      (chart) => release(chart, 'tool', 'tools', { values: { extraObjects: [SECRET] } }),
      'values.extraObjects[0]',
    ],
    [
      'an object',
      (chart) => configMap(chart, 'a', 'shop', { a: base64(PEM) }),
      'ConfigMap shop/a: data.a has a private key',
    ],
    [
      'a project',
      (chart) =>
        new AppProject(chart, 'project', {
          name: 'mesh',
          sourceRepos: ['https://me:hunter2@git.example.com/a'],
          destinations: [{ server: 'https://10.0.0.1', namespace: 'a' }],
        }),
      'sourceRepos[0] contains a password',
    ],
  ])('reports a secret in %s', (_where, build, says) => {
    const text = validate((chart) => build(chart));
    expect(text).toContain(says);
    expect(text).not.toMatch(/hunter2/);
    expect(text).not.toContain(BODY);
  });

  test('reports nothing without a secret', () => {
    expect(validate((chart) => configMap(chart, 'a', 'shop', { a: 'b' }))).toBe('');
    expect(Testing.app()).toBeDefined();
  });
});

describe('the commands render and migrate', () => {
  const VIZ = ['render', 'linkerd-viz'];
  const file = {
    files: { 'key.pem': PEM, 'values.yaml': JSON.stringify({ tap: PEM, podLabels: { a: base64(PEM) } }) },
  };

  test.each<readonly [string, readonly string[]]>([
    ['a string in place of a map', [...VIZ, '--set', `tap=${PEM}`, '--set', 'tap.x=1']],
    ['a string in place of a map, from a file', [...VIZ, '-f', 'values.yaml', '--set', 'tap.x=1']],
    ['broken JSON', [...VIZ, '--set-json', `tap={"keyPEM":${JSON.stringify(PEM)}`]],
    ['broken JSON that lacks its beginning', [...VIZ, '--set-json', `tap=${PEM.slice(40)}`]],
    ['a comma in a value', [...VIZ, '--set', `a=x,${BODY}`]],
    ['text after a list', [...VIZ, '--set', `a={x}${BODY}`]],
    ['an index', [...VIZ, '--set', `a[${BODY}=1`]],
    ['a value of the wrong type', [...VIZ, '-f', 'values.yaml']],
    ['a file of the wrong type', [...VIZ, '--set-file', 'tap=key.pem']],
    ['Grafana', [...VIZ, '--set', 'grafana.externalUrl=https://me:hunter2@a', '--set', 'grafana.url=me:hunter2@b:80']],
    ['Grafana, without a scheme', ['migrate', '--chart', 'linkerd-viz', '--set', 'grafana.externalUrl=me:hunter2@b']],
    [
      'Prometheus',
      ['migrate', '--chart', 'linkerd-viz', '--set', 'prometheus.enabled=false,prometheusUrl=me:hunter2@b'],
    ],
    ['Grafana in the cluster', ['migrate', '--chart', 'linkerd-viz', '--set', 'grafana.url=me:hunter2@b']],
    ['an unknown option', [...VIZ, `--tap=${PEM}`]],
  ])('print no secret of an argument with %s', async (_what, args) => {
    const { stdout, stderr } = await runInMemory(args, file);
    const text = stdout + stderr;
    expect(text).not.toContain('hunter2');
    for (let start = 0; start + 16 < BODY.length; start += 8) expect(text).not.toContain(BODY.slice(start, start + 16));
    expect(text).not.toContain(base64(PEM).slice(40, 60));
  });

  test('print no secret of lines of JSON', async () => {
    const lines = [
      `{"name":"a","values":{"tap":"${BODY}`,
      `x${BODY}`,
      JSON.stringify({ name: 'a', values: { tap: PEM } }),
    ];
    const { code, stdout } = await runInMemory([...VIZ, '--jsonl'], { stdin: lines.join('\n') });
    expect(code).toBe(1);
    for (let start = 0; start + 12 < BODY.length; start += 6)
      expect(stdout).not.toContain(BODY.slice(start, start + 12));
  });

  test('refuse a private key in an annotation', async () => {
    const values = JSON.stringify({ podAnnotations: { key: base64(PEM) } });
    const { code, stdout, stderr } = await runInMemory([...VIZ, '-f', '-'], { stdin: values });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('holds a private key');
  });

  test('write no credentials to a program', async () => {
    const values = JSON.stringify({ prometheus: { podAnnotations: { a: 'https://me:hunter2@a', [PEM]: 'b' } } });
    const { stdout, stderr } = await runInMemory(['migrate', '--chart', 'linkerd-viz', '-f', '-'], { stdin: values });
    expect(stderr).toContain('values.prometheus.podAnnotations.a contains a password');
    expect(stdout + stderr).not.toMatch(/hunter2/);
    expect(stdout + stderr).not.toContain(BODY);
  });
});
