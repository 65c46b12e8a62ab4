import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { ApiError } from '#controller-runtime/client/api-error';
import { parseWatchEvent, readWatchEvents, WatchLostError } from '#controller-runtime/client/watch-stream';

const object = { metadata: { name: 'a', resourceVersion: '1' } };

test.each(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'])('the reader of a watch reads %s as an event', (type) => {
  expect(parseWatchEvent(JSON.stringify({ type, object }))).toEqual({ type, object });
});

test('the reader of a watch reports an expired watch as 410', () => {
  const line = JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
  expect(() => parseWatchEvent(line)).toThrow(ApiError);
});

test('the reader of a watch ends on any other failure, with its reason', () => {
  const line = JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 500, message: 'etcd' } });
  expect(() => parseWatchEvent(line)).toThrow(
    expect.objectContaining({
      name: 'WatchLostError',
      cause: expect.objectContaining({ message: 'watch: 500: etcd' }),
    }),
  );
});

test.each(['{', '[]', 'null', '7', '{"type":"ADDED"}', '{"type":"NEW","object":{"metadata":{"resourceVersion":"1"}}}'])(
  'the reader of a watch rejects %s',
  (line) => expect(() => parseWatchEvent(line)).toThrow(WatchLostError),
);

test('the reader of a watch does not quote an unreadable event, which may be part of a Secret', () => {
  const secret = '{"type":"ADDED","object":{"data":{"key":"c2VjcmV0"';
  const error = (() => {
    try {
      return parseWatchEvent(secret);
    } catch (reason) {
      return reason as Error;
    }
  })();
  expect(`${(error as Error).message} ${String((error as Error).cause)}`).not.toContain('c2Vj');
});

test('the reader of a watch fails if its stream closes without an end', async () => {
  const stream = new PassThrough();
  const reading = readWatchEvents(stream as unknown as IncomingMessage, jest.fn(), jest.fn());
  stream.destroy();
  await expect(reading).rejects.toThrow('the connection was closed');
});

test('the reader of a watch fails if its stream ends within an event', async () => {
  const stream = new PassThrough();
  const reading = readWatchEvents(stream as unknown as IncomingMessage, jest.fn(), jest.fn());
  stream.end('{"type":"ADDED"');
  await expect(reading).rejects.toThrow('the connection ended in the middle of an event');
});

test('the reader of a watch closes its stream at the first unreadable event', async () => {
  const stream = new PassThrough();
  const reading = readWatchEvents(stream as unknown as IncomingMessage, jest.fn(), jest.fn());
  stream.write('{\n');
  await expect(reading).rejects.toThrow(WatchLostError);
  expect(stream.destroyed).toBe(true);
});
