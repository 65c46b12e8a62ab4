import { join } from 'node:path';
import { misfitsOf } from '#tools/mutations/fault';
import { ROOMS } from '#tools/mutations/rooms';

test('each mutation of tools/mutations matches its source exactly once', () => {
  const root = join(__dirname, '..', '..');
  expect(ROOMS.flatMap(({ faults }) => faults.flatMap((fault) => misfitsOf(fault, root)))).toEqual([]);
});
