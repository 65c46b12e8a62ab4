import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { giveBackMemory } from '#controller-runtime/process/give-back-memory';

const MODULE = join(
  __dirname,
  '..',
  '..',
  '..',
  '..',
  'packages',
  'controller-runtime',
  'process',
  'give-back-memory.ts',
);
const MIB = 2 ** 20;

describe('a process that returns memory to the system', () => {
  let end: () => void;
  let heapBytes: number;
  let busy: number;
  let collections: number;

  beforeEach(() => {
    jest.useFakeTimers();
    [heapBytes, busy, collections] = [20 * MIB, 0, 0];
    const collect = (): void => {
      collections += 1;
      heapBytes = 10 * MIB;
    };
    end = giveBackMemory({ observed: { busy: () => busy, heapBytes: () => heapBytes, collect } });
  });
  afterEach(() => {
    end();
    jest.useRealTimers();
  });

  /** Returns the number of collections within a minute. */
  const inAMinute = (): number => {
    const before = collections;
    jest.advanceTimersByTime(60_000);
    return collections - before;
  };

  test('does so once after its start, and then after each burst', () => {
    expect(inAMinute()).toBe(1);
    expect(inAMinute()).toBe(0);
    heapBytes = 15 * MIB;
    expect(inAMinute()).toBe(1);
  });

  test('does not do so while it is busy', () => {
    busy = 0.5;
    expect(inAMinute()).toBe(0);
    busy = 0.01;
    expect(inAMinute()).toBe(1);
  });

  test('does not do so with a large heap, which takes long to collect', () => {
    heapBytes = 100 * MIB;
    expect(inAMinute()).toBe(0);
  });

  test('does not do so after its stop', () => {
    end();
    expect(inAMinute()).toBe(0);
  });
});

test('Node returns memory to the system after a burst', () => {
  const program = `
    const { getHeapStatistics } = require('node:v8');
    const { giveBackMemory } = require(${JSON.stringify(MODULE)});
    giveBackMemory({ checkMs: 200 });
    let kept = [];
    for (let index = 0; index < 300_000; index += 1) kept.push({ index });
    kept = undefined;
    const before = getHeapStatistics().total_heap_size;
    setTimeout(() => console.log((before - getHeapStatistics().total_heap_size) / 2 ** 20), 1_000);
  `;
  const args = ['--import', 'tsx', '-e', program];
  expect(Number(execFileSync(process.execPath, args, { encoding: 'utf8', env: { PATH: '' } }))).toBeGreaterThan(4);
});
