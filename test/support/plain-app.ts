import { type Chart, Testing } from 'cdk8s';

/** The result of a function, and the warnings that a plain App has printed to stderr. */
interface Printing<T> {
  readonly result: T;
  readonly printed: string;
}

/** Calls a function, and captures its output to stderr. */
export function printing<T>(act: () => T): Printing<T> {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const result = act();
    return { result, printed: write.mock.calls.map(([text]) => text).join('') };
  } finally {
    write.mockRestore();
  }
}

/** Calls a function, and expects that it prints only warnings. */
export function withoutWarnings<T>(act: () => T): T {
  const { result, printed } = printing(act);
  const others = printed.split('\n').filter((line) => line !== '' && !line.startsWith('warning: '));
  expect(others).toEqual([]);
  return result;
}

/** The objects of a chart in a plain App, without its warnings on stderr. */
export function plainObjects(chart: Chart): ReturnType<typeof Testing.synth> {
  return withoutWarnings(() => Testing.synth(chart));
}
