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

describe('a process', () => {
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

  /** Collections within a minute. */
  const inAMinute = (): number => {
    const before = collections;
    jest.advanceTimersByTime(60_000);
    return collections - before;
  };

  test('gives back once what its start has left, and then after each burst', () => {
    expect(inAMinute()).toBe(1);
    expect(inAMinute()).toBe(0);
    heapBytes = 15 * MIB;
    expect(inAMinute()).toBe(1);
  });

  test('is left alone while it is busy', () => {
    busy = 0.5;
    expect(inAMinute()).toBe(0);
    busy = 0.01;
    expect(inAMinute()).toBe(1);
  });

  test('with a large heap is left alone: to collect it takes long', () => {
    heapBytes = 100 * MIB;
    expect(inAMinute()).toBe(0);
  });

  test('is left alone when nobody wants it any more', () => {
    end();
    expect(inAMinute()).toBe(0);
  });
});

test('Node gives back what a burst has left behind', () => {
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
