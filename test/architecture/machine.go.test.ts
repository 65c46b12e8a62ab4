import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';

const CACHE = realpathSync(join(__dirname, '..', '..', '.cache')) + sep;

const says = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .trim()
    .split('\n');

describe('in tests, the folder .cache of the project contains', () => {
  test('the cache of npm', () => {
    expect(says('npm', 'config', 'get', 'cache')).toEqual([expect.stringContaining(CACHE)]);
  });

  test('the caches and telemetry of Go, but not its settings', () => {
    const [build, modules, telemetry, settings] = says('go', 'env', 'GOCACHE', 'GOMODCACHE', 'GOTELEMETRYDIR', 'GOENV');
    expect([build, modules]).toEqual(Array(2).fill(expect.stringContaining(CACHE)));
    if (process.platform !== 'linux') return;
    expect(telemetry).toContain(CACHE);
    expect(settings).not.toContain(CACHE);
  });

  test('the XDG base directories', () => {
    for (const name of ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME']) {
      expect(process.env[name]).toContain(CACHE);
    }
  });
});
