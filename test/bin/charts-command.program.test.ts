import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf, formatLock } from '#helm/chart/charts-lock';
import { openChart } from '#helm/chart/open-chart';
import { ChartFolder } from '#linkerd/charts/chart-folder';
import { packaged } from '../packages/helm/chart/tar-writer';
import { runInMemory } from './fake-terminal';

function chart(name: string, version: string, content = ''): Buffer {
  return packaged(
    { 'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}\n`, 'values.yaml': content },
    name,
  );
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const routes = new Map<string, Answer>();
const seen: IncomingMessage[] = [];
const server = createServer((request, response) => {
  seen.push(request);
  const answer = routes.get((request.url ?? '').split('?')[0] ?? '');
  if (answer === undefined) response.writeHead(404).end();
  else answer(request, response);
});
const sends =
  (body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(200, headers).end(body);
  };

let host = '';
let folder = '';
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((closed) => server.close(closed)));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'charts-'));
  routes.clear();
  seen.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

function index(entries: string): Answer {
  return sends(`apiVersion: v1\nentries:\n${entries}`);
}

const charts = (...args: readonly string[]) => runInMemory(['charts', ...args, '--folder', folder]);
const pull = (name: string, version: string, ...more: readonly string[]) =>
  charts('pull', name, version, '--repo', `http://${host}/repo`, ...more);

function offer(name: string, version: string, archive: Buffer, digest = digestOf(archive)): void {
  routes.set(
    '/repo/index.yaml',
    index(`  ${name}:\n  - {version: "${version}", digest: "${digest}", urls: ["files/${name}.tgz"]}\n`),
  );
  routes.set(`/repo/files/${name}.tgz`, sends(archive));
}

test('charts pull writes the archive and its digest, which charts verify and openChart check', async () => {
  const archive = chart('podinfo', '1.2.3');
  offer('podinfo', '1.2.3', archive);
  expect(await pull('podinfo', '1.2.3')).toMatchObject({ code: 0, stderr: '' });
  offer('another', '2.0.0+build', chart('another', '2.0.0+build'));
  expect(await pull('another', '2.0.0+build')).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(folder).sort()).toEqual(['another-2.0.0+build.tgz', 'charts.lock.yaml', 'podinfo-1.2.3.tgz']);
  const lock = readFileSync(join(folder, 'charts.lock.yaml'), 'utf8');
  expect(lock).toContain(
    `  - name: "podinfo"\n    version: "1.2.3"\n    repository: "http://${host}/repo"\n    sha256: "${digestOf(archive)}"\n`,
  );
  expect(lock.indexOf('another')).toBeLessThan(lock.indexOf('podinfo'));
  expect(await charts('verify')).toEqual({
    code: 0,
    stdout: `All charts in ${folder} (2) have the digests of its lock file; published digests confirm 0 of them\n`,
    stderr: '',
  });
  expect(openChart(folder, 'podinfo', '1.2.3')?.chart.metadata.name).toBe('podinfo');
});

test('charts pull refuses another digest of the same version without --force', async () => {
  offer('podinfo', '1.2.3', chart('podinfo', '1.2.3'));
  await pull('podinfo', '1.2.3');
  offer('podinfo', '1.2.3', chart('podinfo', '1.2.3', 'changed: 1'));
  const before = readFileSync(join(folder, 'podinfo-1.2.3.tgz'));
  const refused = await pull('podinfo', '1.2.3');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/The digest of podinfo-1.2.3.tgz is .*, but the lock file has .*--force/);
  expect(readFileSync(join(folder, 'podinfo-1.2.3.tgz'))).toEqual(before);
  expect((await pull('podinfo', '1.2.3', '--force')).code).toBe(0);
  expect((await charts('verify')).code).toBe(0);
});

test('charts verify reports changed, missing and unlisted archives at once, and openChart refuses them', async () => {
  for (const name of ['a', 'b']) {
    offer(name, '1.0.0', chart(name, '1.0.0'));
    await pull(name, '1.0.0');
  }
  writeFileSync(join(folder, 'a-1.0.0.tgz'), chart('a', '1.0.0', 'x: 1'));
  rmSync(join(folder, 'b-1.0.0.tgz'));
  writeFileSync(join(folder, 'c-1.0.0.tgz'), 'x');
  const { code, stderr } = await charts('verify');
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^3 problems:\n.*The digest of a-1.0.0.tgz is .*\n.*The lock file lists b 1.0.0.*\n.*no entry for .*c-1.0.0.tgz/,
  );
  expect(() => openChart(folder, 'a', '1.0.0')).toThrow(/the digest of the archive is/);
  expect(() => openChart(folder, 'b', '1.0.0')).toThrow('the archive is missing');
  expect(openChart(folder, 'c', '1.0.0')).toBeUndefined();
  expect(() => openChart(join(folder, 'none'), 'c', '1.0.0')).toThrow('has no charts.lock.yaml');
});

test.each([
  ['cert-manager', '1.21.1', 'c27101f3f3e2349fb4a9e704316105bf7b52ad73b8c8257d3498ef7f2f6a4adc'],
  ['cert-manager', '1.16.1', 'e6bf08ee8834e6a727e38991978607ea9b729825150a20d7d10be1eb284106e6'],
  ['trust-manager', '0.24.0', '0de4bbef2d1a013bd4a91c6f59a9cb0273dda9a785e018a9a16e8f2b096af823'],
  ['linkerd-crds', '1.8.0', '516789ccd8116f5f7ddd69ad2368be6f3c26cb53eae94f3950061592c0074991'],
])(
  'charts add and charts verify refuse an archive with another digest than the published %s %s',
  async (name, bare, published) => {
    const file = join(folder, 'downloaded.archive');
    // Neither a lock with the digest nor another spelling of the version makes charts accept it.
    for (const version of [`v${bare}`, bare]) {
      const archive = chart(name, version);
      writeFileSync(file, archive);
      const refused = await charts('add', file, '--force');
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain(`The digest of ${name}-${version}.tgz is ${digestOf(archive)}`);
      expect(refused.stderr).toContain(`that of the published archive is ${published}`);
      expect(readdirSync(folder)).toEqual(['downloaded.archive']);
      writeFileSync(join(folder, `${name}-${version}.tgz`), archive);
      const entry = { name, version, repository: 'x', sha256: digestOf(archive) };
      writeFileSync(join(folder, 'charts.lock.yaml'), formatLock([entry]));
      expect((await charts('verify')).code).toBe(1);
      expect(() => ChartFolder.at(folder).open({ name, version })).toThrow(`and that of the published ${name}`);
      rmSync(join(folder, `${name}-${version}.tgz`));
      rmSync(join(folder, 'charts.lock.yaml'));
    }
    writeFileSync(file, chart(name, `${bare}+acme.1`));
    expect((await charts('add', file)).stdout).toContain('(published digest: unknown)');
    const { stdout } = await runInMemory(['charts', 'add', file, '--folder', `${folder}//`]);
    expect(stdout).toMatch(new RegExp(`^${folder}/[^/]+\\.tgz sha256:`));
  },
);

test('charts add accepts an archive of an unknown chart', async () => {
  const file = join(folder, 'downloaded.archive');
  writeFileSync(file, chart('private', '0.1.0'));
  expect((await charts('add', file)).code).toBe(0);
  expect(openChart(folder, 'private', '0.1.0')?.chart.metadata.version).toBe('0.1.0');
  writeFileSync(file, 'no archive');
  expect((await charts('add', file)).stderr).toMatch(/not a gzipped archive/);
});

test('charts pull sends credentials to the repository only, and never prints or writes them', async () => {
  const archive = chart('podinfo', '1.2.3');
  const elsewhere = createServer((request, response) => {
    seen.push(request);
    response.end(archive);
  });
  await new Promise<void>((ready) => elsewhere.listen(0, '127.0.0.1', ready));
  const other = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/podinfo.tgz`;
  routes.set('/repo/index.yaml', index(`  podinfo:\n  - {version: 1.2.3, urls: ["${other}"]}\n`));
  const repo = `http://user:s3cret@${host}/repo?token=s3cret`;
  const { code, stdout, stderr } = await charts(
    'pull',
    'podinfo',
    '1.2.3',
    '--repo',
    repo.replace('?token=s3cret', ''),
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(seen.map(({ headers }) => headers.authorization)).toEqual([
    `Basic ${Buffer.from('user:s3cret').toString('base64')}`,
    undefined,
  ]);
  expect(stdout + readFileSync(join(folder, 'charts.lock.yaml'), 'utf8')).not.toContain('s3cret');
  routes.clear();
  const failed = await charts('pull', 'podinfo', '1.2.3', '--repo', repo);
  expect(failed.stderr).toContain('answers with 404');
  expect(failed.stderr).not.toContain('s3cret');
  await new Promise((closed) => elsewhere.close(closed));
});

test('charts pull removes partial files of killed processes, but no foreign files', async () => {
  for (const file of ['a-1.0.0.tgz.12.partial', 'charts.lock.yaml.12.partial', 'notes.partial', 'film.mkv.partial']) {
    writeFileSync(join(folder, file), '');
  }
  offer('podinfo', '1.2.3', chart('podinfo', '1.2.3'));
  expect(await pull('podinfo', '1.2.3')).toMatchObject({ code: 0 });
  expect(readdirSync(folder).sort()).toEqual([
    'charts.lock.yaml',
    'film.mkv.partial',
    'notes.partial',
    'podinfo-1.2.3.tgz',
  ]);
  expect(await charts('verify')).toMatchObject({ code: 0 });
});

test('charts pull refuses a chart whose archive would have the name of another archive', async () => {
  offer('a-1', '1.0.0', chart('a-1', '1.0.0'));
  expect(await pull('a-1', '1.0.0')).toMatchObject({ code: 0 });
  offer('a', '1-1.0.0', chart('a', '1-1.0.0'));
  expect(await pull('a', '1-1.0.0')).toMatchObject({ code: 1, stderr: expect.stringContaining('a-1-1.0.0.tgz') });
  expect(await charts('verify')).toMatchObject({ code: 0 });
  expect(await pull('a', '1-1.0.0', '--force')).toMatchObject({ code: 0 });
  expect(await charts('verify')).toMatchObject({ code: 0 });
});

describe('charts pull, from a chart repository,', () => {
  test.each<[string, RegExp, () => void]>([
    [
      'other versions only',
      /has no podinfo 1.2.3: it has podinfo 9.9.9/,
      () => offer('podinfo', '9.9.9', chart('podinfo', '9.9.9')),
    ],
    ['other charts only', /it has no chart podinfo/, () => offer('other', '1.2.3', chart('other', '1.2.3'))],
    [
      'another digest than the index',
      /the index names 0000/,
      () => offer('podinfo', '1.2.3', chart('podinfo', '1.2.3'), '0'.repeat(64)),
    ],
    ['another chart', /contains other 1.2.3/, () => offer('podinfo', '1.2.3', chart('other', '1.2.3'))],
    ['no archive', /not a gzipped archive/, () => offer('podinfo', '1.2.3', Buffer.from('<html>'))],
    ['no index', /answers with 404/, () => undefined],
    ['an index without YAML', /responds with invalid data/, () => routes.set('/repo/index.yaml', sends('a: b: c'))],
    ['an invalid index', /responds with invalid data/, () => routes.set('/repo/index.yaml', sends('entries: [1]'))],
    [
      'a file of the machine',
      /not a URL of HTTP/,
      () => routes.set('/repo/index.yaml', index('  podinfo: [{version: 1.2.3, urls: ["file:///etc/passwd"]}]')),
    ],
    [
      'a body that ends too early',
      /ends too early/,
      () =>
        routes.set('/repo/index.yaml', (_, response) => {
          response.writeHead(200, { 'content-length': '1000' });
          response.write('x', () => response.destroy());
        }),
    ],
  ])('refuses an answer with %s', async (_, reason, prepare) => {
    prepare();
    const { code, stdout, stderr } = await pull('podinfo', '1.2.3');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(reason);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('refuses an archive of too many bytes', async () => {
    offer('podinfo', '1.2.3', Buffer.alloc(33 * 2 ** 20));
    expect((await pull('podinfo', '1.2.3')).stderr).toMatch(/podinfo.tgz is larger than 33554432 bytes/);
  });

  test('reports a repository that does not answer', async () => {
    expect((await charts('pull', 'a', '1.0.0', '--repo', 'http://127.0.0.1:1/x')).stderr).toMatch(/does not answer \(/);
    expect((await charts('pull', '../a', '1.0.0', '--repo', 'http://127.0.0.1:1/x')).code).toBe(2);
    expect((await charts('pull', 'a', '1.0.0', '--repo', 'nothing')).stderr).toMatch(/not a URL/);
  });

  test('shortens and escapes names that would flood or control a terminal', async () => {
    const versions = Array.from({ length: 99 }, (_, at) => `{version: "\\e[2J\\n::error::${'x'.repeat(9_999)}${at}"}`);
    routes.set('/repo/index.yaml', index(`  podinfo: [${versions.join(', ')}]`));
    const { code, stderr } = await pull('podinfo', '1.2.3');
    expect(code).toBe(1);
    expect(stderr.length).toBeLessThan(1_000);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that there are none.
    expect(stderr).not.toMatch(/\u001b|^::/m);
  });
});

describe('charts reports in one line', () => {
  const REPO = 'http://127.0.0.1:1/x';

  test.each<[string, readonly string[], RegExp]>([
    ['a repository that is not a URL', ['pull', 'a', '1.0.0', '--repo', 'nothing'], /not a URL/],
    ['a repository of files', ['pull', 'a', '1.0.0', '--repo', 'file:///tmp'], /not a URL of HTTP/],
    ['a registry without a host', ['pull', 'a', '1.0.0', '--repo', 'oci://'], /not a URL of HTTP/],
    ['a login that is not encoded', ['pull', 'a', '1.0.0', '--repo', 'http://%zz:x@127.0.0.1:1/x'], /%25/],
    ['a name that is a path', ['pull', '../a', '1.0.0', '--repo', REPO], /not the name and the version/],
    ['a missing archive', ['add', 'none.tgz'], /none\.tgz cannot be read: ENOENT/],
    ['an archive that is a folder', ['add', '.'], /not a regular file/],
    ['an archive that is a device', ['add', '/dev/zero'], /not a regular file/],
  ])('%s', async (_what, args, reason) => {
    const { code, stdout, stderr } = await charts(...args);
    expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 2, stdout: '', lines: 2 });
    expect(stderr).toMatch(reason);
    expect(stderr).not.toMatch(/ at .*:\d+:\d+/);
  });

  test.each<[string, (...args: readonly string[]) => readonly string[], () => string]>([
    ['a folder that is a file', (file) => ['verify', '--folder', file ?? ''], () => join(folder, 'file')],
    ['a folder below a file', (file) => ['verify', '--folder', file ?? ''], () => join(folder, 'file', 'below')],
    ['a file for a folder', (file) => ['add', archiveFile(), '--folder', file ?? ''], () => join(folder, 'file')],
    ['an archive with the name of a folder', () => ['add', archiveFile(), '--folder', folder], () => ''],
    ['a lock that is a folder', (file) => ['verify', '--folder', file ?? ''], () => join(folder, 'locked')],
  ])('%s', async (_what, args, place) => {
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'podinfo-1.2.3.tgz'));
    mkdirSync(join(folder, 'locked', 'charts.lock.yaml'), { recursive: true });
    const { code, stdout, stderr } = await runInMemory(['charts', ...args(place())]);
    expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 2, stdout: '', lines: 2 });
    expect(stderr).not.toMatch(/ at .*:\d+:\d+/);
  });

  function archiveFile(): string {
    const file = join(folder, 'downloaded.archive');
    writeFileSync(file, chart('podinfo', '1.2.3'));
    return file;
  }
});

describe('charts pull, from an OCI registry,', () => {
  const archive = chart('podinfo', '1.2.3+b');
  const layer = {
    mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
    digest: `sha256:${digestOf(archive)}`,
  };
  const blob = `/v2/some/charts/podinfo/blobs/sha256:${digestOf(archive)}`;
  const authorized =
    (answer: Answer): Answer =>
    (request, response) => {
      if (request.headers.authorization === 'Bearer t0ken') return answer(request, response);
      const challenge = `Bearer realm="http://${host}/token",service="registry",scope="repository:some/charts/podinfo:pull"`;
      return void response.writeHead(401, { 'www-authenticate': challenge }).end();
    };
  const pullOci = () => charts('pull', 'podinfo', '1.2.3+b', '--repo', `oci://${host}/some/charts`);

  test('gets an anonymous token, the manifest and the layer with the chart', async () => {
    routes.set('/token', sends('{"token": "t0ken"}'));
    routes.set(
      '/v2/some/charts/podinfo/manifests/1.2.3_b',
      authorized(sends(JSON.stringify({ layers: [{ mediaType: 'x', digest: 'y' }, layer] }))),
    );
    routes.set(blob, authorized(sends(archive)));
    expect(await pullOci()).toMatchObject({ code: 0, stderr: '' });
    expect(seen.map(({ url }) => url)).toContain(
      '/token?service=registry&scope=repository%3Asome%2Fcharts%2Fpodinfo%3Apull',
    );
    expect(readFileSync(join(folder, 'charts.lock.yaml'), 'utf8')).toContain(`repository: "oci://${host}/some/charts"`);
  });

  test.each([
    ['a tag', ':1.2.3_b', '1.2.3_b'],
    ['no tag', '', '1.2.3_b'],
    ['a digest', `@sha256:${'a'.repeat(64)}`, `sha256:${'a'.repeat(64)}`],
  ])('follows an index that refers to a chart by %s', async (_, tag, reference) => {
    const urls = `["oci://${host}/some/charts/podinfo${tag}"]`;
    routes.set('/index.yaml', sends(`entries: {podinfo: [{version: 1.2.3+b, urls: ${urls}}]}`));
    routes.set(`/v2/some/charts/podinfo/manifests/${reference}`, sends(JSON.stringify({ layers: [layer] })));
    routes.set(blob, sends(archive));
    expect(await charts('pull', 'podinfo', '1.2.3+b', '--repo', `http://${host}`)).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  test.each<[string, RegExp, () => void]>([
    [
      'an artifact that is not a chart',
      /not a chart/,
      () => routes.set('/v2/some/charts/podinfo/manifests/1.2.3_b', sends('{"layers": []}')),
    ],
    [
      'another digest',
      /another digest than its manifest/,
      () => {
        routes.set('/v2/some/charts/podinfo/manifests/1.2.3_b', sends(JSON.stringify({ layers: [layer] })));
        routes.set(blob, sends(chart('podinfo', '1.2.3+b', 'x: 1')));
      },
    ],
    ['no such version', /answers with 404/, () => undefined],
    [
      'a token that is more than one line',
      /a token that contains other characters/,
      () => {
        routes.set('/token', sends('{"token": "t0ken\\r\\nx: y"}'));
        routes.set('/v2/some/charts/podinfo/manifests/1.2.3_b', authorized(sends('{}')));
      },
    ],
    [
      'a request for credentials',
      /requires credentials/,
      () =>
        routes.set('/v2/some/charts/podinfo/manifests/1.2.3_b', (_, response) => void response.writeHead(401).end()),
    ],
  ])('refuses an answer with %s', async (_, reason, prepare) => {
    prepare();
    const { code, stderr } = await pullOci();
    expect(code).toBe(1);
    expect(stderr).toMatch(reason);
  });
});
