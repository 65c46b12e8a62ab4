import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { createBodyReader } from '#controller-runtime/webhook/request-body';

const LIMITS = { bytes: 10, values: 10, totalBytes: 25 };

const body = (...chunks: readonly string[]) =>
  Readable.from(chunks.map((chunk) => Buffer.from(chunk))) as unknown as IncomingMessage;

/** A body that the test ends. */
function openBody(): { readonly request: IncomingMessage; readonly stream: PassThrough } {
  const stream = new PassThrough();
  return { request: stream as unknown as IncomingMessage, stream };
}

test('the webhook joins chunks of a body before it decodes them', async () => {
  const [first, second] = [Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1)];
  const request = Readable.from([first, second]) as unknown as IncomingMessage;
  expect(await createBodyReader(LIMITS)(request)).toEqual({ text: 'ü' });
});

test('the webhook accepts a body of exactly its size limit', async () => {
  const read = createBodyReader(LIMITS);
  expect(await read(body('12345', '67890'))).toEqual({ text: '1234567890' });
  expect(await read(body('12345', '67890', '1', '2'))).toEqual({ refused: 'too large' });
});

test('the webhook also limits the number of values, by the characters that begin or separate them', async () => {
  const read = createBodyReader({ bytes: 100, values: 5, totalBytes: 100 });
  expect(await read(body('[{},', '{},1]'))).toEqual({ text: '[{},{},1]' });
  expect(await read(body('[{},', '{},1,2]'))).toEqual({ refused: 'too large' });
});

test('the webhook limits the number of values of all bodies that it reads at a time', async () => {
  const read = createBodyReader({ bytes: 100, values: 5, totalBytes: 100 });
  const open = openBody();
  const reading = read(open.request);
  open.stream.write('[1,2,');
  await new Promise(setImmediate);
  expect(await read(body('[{},', '1]'))).toEqual({ refused: 'too many' });
  open.stream.end('3]');
  expect(await reading).toEqual({ text: '[1,2,3]' });
  expect(await read(body('[{},', '1]'))).toEqual({ text: '[{},1]' });
});

const MIB = 2 ** 20;

test.each([
  ['kept', 'a few long texts', JSON.stringify({ object: 'x'.repeat(3 * MIB), oldObject: 'x'.repeat(3 * MIB) })],
  ['refused', 'empty objects', `[${'{},'.repeat(2 * MIB)}1]`],
  ['refused', 'nested lists', '['.repeat(6 * MIB)],
  ['refused', 'nested objects', '{"a":'.repeat(MIB)],
  ['refused', 'fields', `{${Array.from({ length: 500_000 }, (_, index) => `"${index}":1`)}}`],
])('a body of a few MiB is %s if it contains %s', async (result, _what, text) => {
  const read = await createBodyReader()(body(text));
  expect('text' in read ? 'kept' : 'refused').toBe(result);
});

test('bodies that the webhook reads at the same time share a limit, until they are done', async () => {
  const read = createBodyReader(LIMITS);
  const [one, other] = [openBody(), openBody()];
  const readOne = read(one.request);
  const readOther = read(other.request);
  one.stream.write('1234567890');
  other.stream.write('1234567890');
  await new Promise(setImmediate);
  expect(await read(body('123456', '7'))).toEqual({ refused: 'too many' });

  one.stream.end();
  expect(await readOne).toEqual({ text: '1234567890' });
  expect(await read(body('123456', '7'))).toEqual({ text: '1234567' });

  other.stream.destroy(new Error('connection lost'));
  await expect(readOther).rejects.toThrow('connection lost');
  const all = await Promise.all([read(body('1234567890')), read(body('1234567890')), read(body('12345'))]);
  expect(all).toEqual([{ text: '1234567890' }, { text: '1234567890' }, { text: '12345' }]);
});

test('large bodies leave room for small ones in the shared limit', async () => {
  const small = { bytes: 5, values: 5, reservedBytes: 5, reservedValues: 5 };
  const read = createBodyReader({ ...LIMITS, small });
  const large = [openBody(), openBody()];
  const reading = large.map(({ request }) => read(request));
  for (const { stream } of large) stream.write('1234567890');
  await new Promise(setImmediate);
  expect(await read(body('123456'))).toEqual({ refused: 'too many' });
  expect(await read(body('12345'))).toEqual({ text: '12345' });
  for (const { stream } of large) stream.end();
  await Promise.all(reading);
});

test('a body counts against the shared limit until the work on it is done', async () => {
  const read = createBodyReader({ ...LIMITS, totalBytes: 10 });
  const { promise, resolve } = Promise.withResolvers<string>();
  const working = read(body('123456'), async (text) => `${text()} ${await promise}`);
  await new Promise(setImmediate);
  expect(await read(body('123456'))).toEqual({ refused: 'too many' });
  resolve('done');
  expect(await working).toBe('123456 done');
  expect(await read(body('123456'))).toEqual({ text: '123456' });
});

test('the webhook limits depth, and values and bytes if it expects fewer', async () => {
  const read = createBodyReader({ ...LIMITS, bytes: 100, totalBytes: 100, depth: 3 });
  expect(await read(body('[[[1]]]'))).toEqual({ text: '[[[1]]]' });
  expect(await read(body('[[[[1]]]]'))).toEqual({ refused: 'too large' });
  expect(await read(body('[1,2,3]'), undefined, { mostValues: 2 })).toEqual({ refused: 'too large' });
  expect(await read(body('[1,2,3]'), undefined, { mostBytes: 6 })).toEqual({ refused: 'too large' });
  expect(await read(body('[1,2,3]'), undefined, { mostBytes: 7 })).toEqual({ text: '[1,2,3]' });
});

test('a body in chunks of one byte takes little more memory than its bytes', async () => {
  const pieces = Array.from({ length: 200_000 }, () => Buffer.from(' '));
  const request = Readable.from([...pieces, Buffer.from('1')], { highWaterMark: 1 }) as unknown as IncomingMessage;
  let external = 0;
  const text = await createBodyReader()(request, (content) => {
    external = process.memoryUsage().arrayBuffers;
    return content().length;
  });
  expect(text).toBe(200_001);
  expect(external).toBeLessThan(200 * MIB);
});

test('a body that is too large stays too large while other bodies arrive and end', async () => {
  const read = createBodyReader(LIMITS);
  const large = openBody();
  const readLarge = read(large.request);
  large.stream.write('12345678901');
  await new Promise(setImmediate);
  large.stream.end('12345678901');
  expect(await readLarge).toEqual({ refused: 'too large' });
});
