import { type Chart, Testing } from 'cdk8s';

/** The result of an act, and what a plain App printed to stderr meanwhile: its warnings. */
interface Printing<T> {
  readonly result: T;
  readonly printed: string;
}

/** Runs something, and keeps from stderr what it writes there. */
export function printing<T>(act: () => T): Printing<T> {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const result = act();
    return { result, printed: write.mock.calls.map(([text]) => text).join('') };
  } finally {
    write.mockRestore();
  }
}

/** Runs something that may print warnings, and nothing else. */
export function withoutWarnings<T>(act: () => T): T {
  const { result, printed } = printing(act);
  const others = printed.split('\n').filter((line) => line !== '' && !line.startsWith('warning: '));
  expect(others).toEqual([]);
  return result;
}

/** Returns the objects of a chart in a plain App, without printing its warnings. */
export function plainObjects(chart: Chart): ReturnType<typeof Testing.synth> {
  return withoutWarnings(() => Testing.synth(chart));
}
