import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { processesFor, rerunArguments } from '../../../../lib/gitops/platform/processes/workforce';

test.each([
  [1, undefined, 1],
  [49, undefined, 1],
  [50, undefined, Math.min(2, availableParallelism())],
  [10_000, undefined, availableParallelism()],
  [10_000, 1, 1],
  [3, 2, 2],
  [3, 8, 3],
  [0, 4, 1],
])('%i clusters and --jobs %s are %i processes', (clusters, asked, processes) => {
  expect(processesFor(clusters, asked)).toBe(processes);
});

const tool = join(__dirname, '../../../../node_modules/jest/bin/jest.js');

test.each([
  ['a program', [__filename, '--check'], ['--import', 'tsx'], ['--import', 'tsx', __filename, '--check']],
  ['a session', [], [], undefined],
  ['standard input', ['-'], [], undefined],
  ['a text', ['--check'], ['-e', 'run()'], undefined],
  ['a text beside a file', [__filename], ['--eval', 'run()'], undefined],
  ['a program that is gone', [join(__dirname, 'gone.ts')], [], undefined],
  ['a program with a debugger', [__filename], ['--inspect-brk=9229'], undefined],
  ['a test of Node.js', [__filename], ['--test'], undefined],
  ['a tool of a package', [tool, '--watch'], [], undefined],
])('%s is run again as it was, or not at all', (_, args, execArgv, again) => {
  expect(rerunArguments({ argv: [process.execPath, ...args], execArgv: [...execArgv], env: {} })).toEqual(again);
});

test('a file that a test runner of Node.js has started is not run again', () => {
  const env = { NODE_TEST_CONTEXT: 'child-v8' };
  expect(rerunArguments({ argv: [process.execPath, __filename], execArgv: [], env })).toBeUndefined();
});
