import fc from 'fast-check';
import { createLineSplitter } from '#controller-runtime/client/watch-stream';

function split(chunks: readonly Buffer[]): { lines: string[]; isInLine: boolean } {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(chunk);
  return { lines, isInLine: splitter.isInLine() };
}

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((place) => Math.min(place, bytes.length)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

test('the reader of lines returns whole lines, wherever the stream is split, even within a character', () => {
  const lines = fc.array(fc.string({ unit: 'binary', minLength: 1 }).map((text) => JSON.stringify(text)));
  fc.assert(
    fc.property(lines, fc.array(fc.nat(200)), (expected, cuts) => {
      const chunks = cut(Buffer.from(expected.map((line) => `${line}\n`).join('')), cuts);
      expect(split(chunks)).toEqual({ lines: expected, isInLine: false });
    }),
  );
});

test('the reader of lines returns only terminated lines', () => {
  expect(split([Buffer.from('{"a":1}\n{"b"')])).toEqual({ lines: ['{"a":1}'], isInLine: true });
});

test('the reader of lines skips empty lines', () => {
  expect(split([Buffer.from('\n\n1\n'), Buffer.from('\n')])).toEqual({ lines: ['1'], isInLine: false });
});
