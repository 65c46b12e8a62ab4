import { join } from 'node:path';
import { misfitsOf } from '#tools/mutations/fault';
import { ROOMS } from '#tools/mutations/rooms';

test('each mistake that is made on purpose fits the code, once', () => {
  const root = join(__dirname, '..', '..');
  expect(ROOMS.flatMap(({ faults }) => faults.flatMap((fault) => misfitsOf(fault, root)))).toEqual([]);
});
