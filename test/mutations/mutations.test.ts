import { join } from 'node:path';
import { misfitsOf } from './fault';
import { ROOMS } from './rooms';

test('each mutation of test/mutations matches its source exactly once', () => {
  const root = join(__dirname, '..', '..');
  expect(ROOMS.flatMap(({ faults }) => faults.flatMap((fault) => misfitsOf(fault, root)))).toEqual([]);
});
