import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** The command line, started as in a clone of this repository. */
const PROGRAM = [process.execPath, join(ROOT, 'tools/start/start.cjs'), 'bin/cdk8s-linkerd.ts'] as const;

function command(
  args: readonly string[],
  input: string | Uint8Array = '',
): { status: number | null; stdout: string; stderr: string } {
  const [node, ...program] = PROGRAM;
  return spawnSync(node, [...program, ...args], { encoding: 'utf8', input, maxBuffer: 2 ** 28 });
}

test('the command line reads files and standard input, and writes to standard output', () => {
  const folder = mkdtempSync(join(tmpdir(), 'command-'));
  try {
    const file = join(folder, 'values.yaml');
    writeFileSync(file, Buffer.from('\ufefflogLevel: debug\n', 'utf16le'));
    const { status, stdout, stderr } = command(['render', 'linkerd2-cni', '-f', file, '-f', '-'], 'podLabels: {a: b}');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^---\n/);
    expect(stdout).toContain('debug');
    expect(stdout).toContain('a: b');
    writeFileSync(file, Buffer.from('podLabels: {a: é}', 'latin1'));
    for (const path of [file, '-']) {
      expect(command(['render', 'linkerd2-cni', '-f', path], readFileSync(file))).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/^error: cannot read .*: it is not text in UTF-8\n$/),
      });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the command line exits with 1 on a refusal, and with 2 on misuse', () => {
  expect(command(['render', 'linkerd2-cni', '--set', 'x=1']).status).toBe(1);
  expect(command(['render']).status).toBe(2);
});

test('the command line writes many lines completely into a pipe', () => {
  const lines = 2_000;
  const { status, stdout } = command(['render', 'linkerd2-cni', '--jsonl'], '{"name":"a","values":{}}\n'.repeat(lines));
  expect(status).toBe(0);
  expect(stdout.match(/"name":"a","objects"/g)).toHaveLength(lines);
});

test('the command line exits with 141 and prints no error if its reader stops early', () => {
  const shell = `yes '{"name":"a","values":{}}' | head -2000 | ${PROGRAM.join(' ')} render linkerd2-cni --jsonl | head -1; echo \${PIPESTATUS[2]}`;
  const { stdout, stderr } = spawnSync('bash', ['-c', shell], { encoding: 'utf8' });
  expect(stdout.split('\n').slice(1)).toEqual(['141', '']);
  expect(stderr).toBe('');
});

test('the command line reports a full device in one line', () => {
  const line = `${PROGRAM.join(' ')} render linkerd2-cni > /dev/full`;
  const { status, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
  expect(stderr).toMatch(/^error: cannot write to standard output: .*ENOSPC.*\n$/);
  expect(status).toBe(1);
});
