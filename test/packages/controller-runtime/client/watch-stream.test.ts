import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { ApiError } from '#controller-runtime/client/api-error';
import { parseWatchEvent, readWatchEvents, WatchLostError } from '#controller-runtime/client/watch-stream';

const object = { metadata: { name: 'a', resourceVersion: '1' } };

test.each(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'])('%s is an event', (type) => {
  expect(parseWatchEvent(JSON.stringify({ type, object }))).toEqual({ type, object });
});

test('an expired watch is the 410 that it stands for', () => {
  const line = JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
  expect(() => parseWatchEvent(line)).toThrow(ApiError);
});

test('any other failure loses the watch, and says why', () => {
  const line = JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 500, message: 'etcd' } });
  expect(() => parseWatchEvent(line)).toThrow(
    expect.objectContaining({
      name: 'WatchLostError',
      cause: expect.objectContaining({ message: 'watch: 500: etcd' }),
    }),
  );
});

test.each(['{', '[]', 'null', '7', '{"type":"ADDED"}', '{"type":"NEW","object":{"metadata":{"resourceVersion":"1"}}}'])(
  '%s is no event',
  (line) => {
    expect(() => parseWatchEvent(line)).toThrow(WatchLostError);
  },
);

test('what cannot be understood is not quoted: it may be a part of a Secret', () => {
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

test('a stream that closes without an end is a failure', async () => {
  const stream = new PassThrough();
  const reading = readWatchEvents(stream as unknown as IncomingMessage, jest.fn(), jest.fn());
  stream.destroy();
  await expect(reading).rejects.toThrow('the connection was closed');
});

test('a stream that ends within an event is a failure', async () => {
  const stream = new PassThrough();
  const reading = readWatchEvents(stream as unknown as IncomingMessage, jest.fn(), jest.fn());
  stream.end('{"type":"ADDED"');
  await expect(reading).rejects.toThrow('the connection ended in the middle of an event');
});

test('a stream is closed as soon as it makes no sense', async () => {
  const stream = new PassThrough();
  const reading = readWatchEvents(stream as unknown as IncomingMessage, jest.fn(), jest.fn());
  stream.write('{\n');
  await expect(reading).rejects.toThrow(WatchLostError);
  expect(stream.destroyed).toBe(true);
});
