import fc from 'fast-check';
import { linesOf } from '../../bin/lines';

async function lines(chunks: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const line of linesOf(asyncOf(chunks))) found.push(line);
  return found;
}

async function* asyncOf(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

test('only line feeds end lines, wherever chunks end', async () => {
  const chunk = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u2028') });
  await fc.assert(
    fc.asyncProperty(fc.array(chunk), async (chunks) => {
      const text = chunks.join('');
      expect(await lines(chunks)).toEqual(
        text.replace(/\n$/, '') === '' && !/\n/.test(text) ? [] : text.replace(/\n$/, '').split('\n'),
      );
    }),
  );
});
