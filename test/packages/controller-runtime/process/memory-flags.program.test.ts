import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const MODULE = join(__dirname, '..', '..', '..', '..', 'packages', 'controller-runtime', 'process', 'memory-flags.ts');

// Compiled as in clusters: Jest's transformation in the process would already grow the young generation.
const directory = mkdtempSync(join(tmpdir(), 'memory-flags-'));
const program = join(directory, 'memory-flags.cjs');
buildSync({ entryPoints: [MODULE], outfile: program, platform: 'node', format: 'cjs' });

afterAll(() => rmSync(directory, { recursive: true }));

/** Returns the MiB of the young generation of a process that has created many objects, most of which live for a while. */
function sizeAfter(preparation: string): number {
  const code = `
    const { getHeapSpaceStatistics } = require('node:v8');
    const { setMemoryFlags } = require(${JSON.stringify(program)});
    ${preparation}
    const kept = [];
    for (let round = 0; round < 2_000_000; round += 1) kept[round % 100_000] = { round };
    const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    console.log(space_size / 2 ** 20);
  `;
  const text = execFileSync(process.execPath, ['-e', code], { encoding: 'utf8', env: { PATH: '' } });
  return Number(text);
}

test('Node keeps the young generation at its initial size', () => {
  expect(sizeAfter('')).toBeGreaterThan(4);
  expect(sizeAfter('setMemoryFlags();')).toBeLessThanOrEqual(4);
});
