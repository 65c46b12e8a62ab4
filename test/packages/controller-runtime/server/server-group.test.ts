import type { Server } from '#controller-runtime/server/server';
import { createServerGroup } from '#controller-runtime/server/server-group';
import { memoryLog } from '#test/support/controller-runtime/memory-log';

const server = (port: number): Server & { stop: jest.Mock } => ({
  start: () => Promise.resolve(port),
  stop: jest.fn(() => Promise.resolve()),
});

test('a group starts its servers together, and logs their ports', async () => {
  const { log, lines } = memoryLog();
  const group = createServerGroup(log);
  group.add('one', server(1));
  group.add('two', server(2));
  expect(group.missing()).toEqual(['server one', 'server two']);
  await group.start();
  expect(group.missing()).toEqual([]);
  expect(lines).toEqual([
    expect.objectContaining({ msg: 'listening', server: 'one', port: 1 }),
    expect.objectContaining({ msg: 'listening', server: 'two', port: 2 }),
  ]);
});

test('a group stops started servers if another one fails', async () => {
  const group = createServerGroup(memoryLog().log);
  const good = server(1);
  const bad = { ...server(2), start: () => Promise.reject(new Error('in use')) };
  group.add('good', good);
  group.add('bad', bad);
  await expect(group.start()).rejects.toThrow('in use');
  await group.stop();
  expect(good.stop).toHaveBeenCalledTimes(1);
  expect(bad.stop).not.toHaveBeenCalled();
  expect(group.missing()).toEqual(['server bad']);
});
