import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readTlsPair, type TlsPair, watchTlsFiles } from '#controller-runtime/webhook/tls-files';
import { eventually } from '#test/support/cluster/eventually';
import { memoryLog } from '#test/support/controller-runtime/memory-log';
import { type TlsDirectory, tlsDirectory } from './tls-directory';

let directory: TlsDirectory;
let stop: (() => void) | undefined;

beforeEach(() => {
  directory = tlsDirectory();
});

afterEach(() => {
  stop?.();
  stop = undefined;
  directory.remove();
});

describe('a pair of certificate and key', () => {
  test('is read from its files', async () => {
    const pair = directory.issue('a');
    directory.write(pair);
    expect(await readTlsPair(directory.path)).toEqual(pair);
  });

  test('needs both files', async () => {
    await expect(readTlsPair(directory.path)).rejects.toThrow('ENOENT');
    directory.write({ cert: directory.issue('a').cert });
    await expect(readTlsPair(directory.path)).rejects.toThrow('tls.key');
    directory.write({ key: '' });
    await expect(readTlsPair(directory.path)).rejects.toThrow('tls.crt or tls.key');
  });

  test('must match', async () => {
    directory.write({ ...directory.issue('a'), key: directory.issue('b').key });
    await expect(readTlsPair(directory.path)).rejects.toThrow('mismatch');
  });

  test('must be PEM', async () => {
    directory.write({ ...directory.issue('a'), cert: 'a' });
    await expect(readTlsPair(directory.path)).rejects.toThrow();
  });
});

describe('a changed pair of certificate and key', () => {
  const seen: TlsPair[] = [];

  function follow({ path = directory.path, pollMs }: { readonly path?: string; readonly pollMs?: number } = {}) {
    const current = directory.issue('first');
    directory.swap(current);
    return followFrom(current, { path, pollMs });
  }

  function followFrom(current: TlsPair, { path = directory.path, pollMs }: { path?: string; pollMs?: number } = {}) {
    seen.length = 0;
    const { log, lines } = memoryLog();
    stop = watchTlsFiles({ directory: path, current, log, onChange: (pair) => seen.push(pair), pollMs });
    return { lines };
  }

  test('is loaded when the kubelet replaces its link', async () => {
    follow();
    for (const name of ['second', 'third']) {
      const pair = directory.issue(name);
      directory.swap(pair);
      await eventually(() => expect(seen.at(-1)).toEqual(pair));
    }
    expect(seen).toHaveLength(2);
  });

  test('is not loaded before its files match', async () => {
    const current = directory.issue('first');
    directory.write(current);
    const { lines } = followFrom(current);
    const pair = directory.issue('second');
    directory.write({ cert: pair.cert });
    await eventually(() => expect(lines).toMatchObject([{ level: 'warn', directory: directory.path }]));
    expect(seen).toEqual([]);
    directory.write({ key: pair.key });
    await eventually(() => expect(seen).toEqual([pair]));
    expect(lines.at(-1)).toMatchObject({ level: 'info', msg: 'certificate changed', notAfter: expect.any(String) });
  });

  test('does not replace the loaded one if its files are deleted', async () => {
    const { lines } = follow();
    rmSync(join(directory.path, '..data'));
    await eventually(() => expect(lines).toMatchObject([{ level: 'warn' }]));
    expect(seen).toEqual([]);
  });

  test('is loaded even if it changed between the first read and the start of the watch', async () => {
    const pair = directory.issue('second');
    directory.swap(pair);
    followFrom(directory.issue('first'));
    await eventually(() => expect(seen.at(-1)).toEqual(pair));
  });

  test('is loaded even without change notifications', async () => {
    // A watch of the directory does not notice a change of the link to the directory.
    const link = `${directory.path}-link`;
    symlinkSync(directory.path, link);
    const other = tlsDirectory();
    try {
      const { lines } = follow({ path: link, pollMs: 20 });
      const pair = other.issue('elsewhere');
      other.write(pair);
      symlinkSync(other.path, `${link}-new`);
      renameSync(`${link}-new`, link);
      await eventually(() => expect(seen).toEqual([pair]));
      expect(lines).toHaveLength(1);
    } finally {
      rmSync(link);
      other.remove();
    }
  });

  test('is ignored after the end', async () => {
    const { lines } = follow({ pollMs: 10 });
    stop?.();
    directory.swap(directory.issue('second'));
    // Longer than the settling time of files, and than many polls.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect({ seen, lines }).toEqual({ seen: [], lines: [] });
  });
});

test('a missing directory is logged as not followed', () => {
  const { log, lines } = memoryLog();
  const current = directory.issue('first');
  stop = watchTlsFiles({ directory: `${directory.path}/none`, current, log, onChange: () => undefined });
  expect(lines).toMatchObject([{ level: 'warn', msg: expect.stringContaining('checking it every minute') }]);
});
