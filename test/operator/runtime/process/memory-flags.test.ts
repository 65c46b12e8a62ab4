import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const MODULE = join(__dirname, '..', '..', '..', '..', 'operator', 'src', 'runtime', 'process', 'memory-flags.ts');

/** MiB of the young generation of a process that has made many objects, most of which live for a while. */
function sizeAfter(preparation: string): number {
  const program = `
    const { getHeapSpaceStatistics } = require('node:v8');
    const { setMemoryFlags } = require(${JSON.stringify(MODULE)});
    ${preparation}
    const kept = [];
    for (let round = 0; round < 2_000_000; round += 1) kept[round % 100_000] = { round };
    const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    console.log(space_size / 2 ** 20);
  `;
  const text = execFileSync(process.execPath, ['--import', 'tsx', '-e', program], {
    encoding: 'utf8',
    env: { PATH: '' },
  });
  return Number(text);
}

test('the young generation stays as it starts', () => {
  expect(sizeAfter('')).toBeGreaterThan(4);
  expect(sizeAfter('setMemoryFlags();')).toBeLessThanOrEqual(4);
});
